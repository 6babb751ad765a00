package mcptool

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/eval/command"
)

// Arguments fills a template such as {"query":"{query}","limit":{limit}} and returns the JSON object. Inside
// a JSON string a placeholder becomes escaped text, so no value can end the string; outside of one it
// becomes a JSON value: an integer where the text is one, a string otherwise. Filling is one pass: a value
// that holds "{limit}" stays as it is.
func Arguments(template string, values ...command.Value) (json.RawMessage, error) {
	var out strings.Builder
	inString := false
	for i := 0; i < len(template); {
		if v, ok := placeholder(template[i:], values); ok {
			out.WriteString(fill(v.Text, inString))
			i += len(v.Name) + len("{}")
			continue
		}
		switch c := template[i]; {
		case c == '"':
			inString = !inString
		case c == '\\' && inString && i+1 < len(template):
			out.WriteByte(c)
			i++
		}
		out.WriteByte(template[i])
		i++
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out.String()), &object); err != nil || object == nil {
		return nil, fmt.Errorf("tool arguments: have %s, want one JSON object", template)
	}
	return json.RawMessage(out.String()), nil
}

// placeholder finds which value's {name} stands at the beginning of s.
func placeholder(s string, values []command.Value) (command.Value, bool) {
	for _, v := range values {
		if strings.HasPrefix(s, "{"+v.Name+"}") {
			return v, true
		}
	}
	return command.Value{}, false
}

// fill is a value as a part of a JSON string or as a JSON value of its own.
func fill(text string, inString bool) string {
	if !inString {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	if inString {
		return string(quoted[1 : len(quoted)-1])
	}
	return string(quoted)
}

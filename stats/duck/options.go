package duck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// options are the key=value pairs of a table function's second argument,
// separated by blanks. A value with blanks, commas or quotes stands in single
// quotes, which are doubled inside.
type options struct {
	function string
	values   map[string]string
}

// parseOptions reads the text and refuses keys that the function does not know.
func parseOptions(function, text string, known ...string) (options, error) {
	o := options{function: function, values: map[string]string{}}
	rest := strings.TrimLeft(text, " \t\n")
	for rest != "" {
		key, after, ok := strings.Cut(rest, "=")
		if !ok || strings.ContainsAny(key, " '") {
			return o, fmt.Errorf("%s: have option %q, want key=value", function, rest)
		}
		if !slices.Contains(known, key) {
			return o, fmt.Errorf("%s: have option %q, want one of %s", function, key, strings.Join(known, ", "))
		}
		if _, twice := o.values[key]; twice {
			return o, fmt.Errorf("%s: have option %q twice, want it once", function, key)
		}
		value, left, err := optionValue(function, after)
		if err != nil {
			return o, err
		}
		o.values[key] = value
		rest = strings.TrimLeft(left, " \t\n")
	}
	return o, nil
}

func optionValue(function, s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, "'") {
		i := strings.IndexAny(s, " \t\n")
		if i < 0 {
			i = len(s)
		}
		return s[:i], s[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), s[i+1:], nil
	}
	return "", "", fmt.Errorf("%s: have an option without its closing quote, want '…'", function)
}

func (o options) text(key, otherwise string) string {
	if v, ok := o.values[key]; ok {
		return v
	}
	return otherwise
}

func (o options) required(key string) (string, error) {
	if v, ok := o.values[key]; ok && v != "" {
		return v, nil
	}
	return "", fmt.Errorf("%s: have no option %s, want %s=…", o.function, key, key)
}

func (o options) list(key string) []string {
	v := o.values[key]
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}

func (o options) integer(key string, otherwise uint64) (uint64, error) {
	v, ok := o.values[key]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: option %s: have %q, want an integer from 0", o.function, key, v)
	}
	return n, nil
}

func (o options) share(key string, otherwise float64) (float64, error) {
	v, ok := o.values[key]
	if !ok {
		return otherwise, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f > 0 && f < 1) {
		return 0, fmt.Errorf("%s: option %s: have %q, want a number between 0 and 1", o.function, key, v)
	}
	return f, nil
}

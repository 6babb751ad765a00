package importer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// longArgument is the length from which a text in arguments is replaced by its
// size and hash: events hold no file contents.
const longArgument = 1024

// arguments are the arguments of a call as an object: itself, the object that a
// string holds, or a member "arguments" with anything else.
func arguments(v jsontext.Value) schema.Opt[schema.Object] {
	if v.Kind() == '"' {
		inner, err := jsontext.AppendUnquote(nil, v)
		if t := jsontext.Value(bytes.TrimSpace(inner)); err == nil && t.Kind() == '{' && t.IsValid() {
			v = t
		}
	}
	switch v.Kind() {
	case 0, 'n':
		return schema.None[schema.Object]()
	case '{':
	default:
		v = append(append(jsontext.Value(`{"arguments":`), v...), '}')
	}
	out, err := rewrite(v, shortText, finite)
	if err != nil {
		return schema.None[schema.Object]()
	}
	return schema.Some(schema.Object(out))
}

// configuration is an object that can be hashed: integers that RFC 8785 cannot
// tell apart become strings of their digits.
func configuration(v jsontext.Value) (jsontext.Value, error) {
	return rewrite(v, func(s string) string { return s }, exact)
}

// rewrite copies a JSON text in one form, with other texts and numbers. Names of
// members stay.
func rewrite(v jsontext.Value, text func(string) string, number func(string) bool) (jsontext.Value, error) {
	var b bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(v)), jsontext.NewEncoder(&b)
	for {
		tok, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSpace(b.Bytes()), nil
		}
		if err != nil {
			return nil, err
		}
		switch kind, n := d.StackIndex(d.StackDepth()); {
		case tok.Kind() == '"' && (kind != '{' || n%2 == 0):
			tok = jsontext.String(text(tok.String()))
		case tok.Kind() == '0' && !number(tok.String()):
			tok = jsontext.String(tok.String())
		}
		if err := e.WriteToken(tok); err != nil {
			return nil, err
		}
	}
}

func shortText(s string) string {
	if len(s) <= longArgument {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("[%d bytes, sha256 %s]", len(s), hex.EncodeToString(sum[:]))
}

// finite reports whether a double can hold a number.
func finite(number string) bool {
	_, err := strconv.ParseFloat(number, 64)
	return err == nil
}

// exact reports whether a number is told apart from all others by its RFC 8785 form.
func exact(number string) bool {
	if strings.ContainsAny(number, ".eE") {
		return finite(number)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && n >= -maxExact && n <= maxExact
}

// maxExact is the largest integer below which a double skips none.
const maxExact = 1<<53 - 1

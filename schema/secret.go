package schema

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// SecretText stands where a secret stood.
const SecretText = "[secret]"

// A Secret is the place of a secret in a text.
type Secret struct {
	// Start is the first byte of the secret's text.
	Start int
	// End is the byte behind it.
	End int
	// Pointer is the JSON pointer of the value that holds it, or empty in plain text.
	Pointer string
}

// SecretName reports whether a name announces a secret: without case, '-' and
// '_' it ends in authorization, apikey, token, password, passwd, secret, cookie
// or key. The contract's own fields are excepted.
func SecretName(name string) bool {
	_, ok := nameEndingAt(name, len(name))
	return ok && !contractName(name)
}

// contractName reports whether the contract itself has a field of this name
// that would otherwise announce a secret. A test compares it with the fields.
func contractName(name string) bool { return name == "model_key" }

// Redact replaces the secrets in a plain text, and reports whether there were
// any. It looks inside JSON, NAME=value lines, headers and URL parameters, and
// for values of a known form such as access tokens and private keys.
func Redact(s string) (string, bool) {
	spans := TextSecrets(s)
	if len(spans) == 0 {
		return s, false
	}
	var out strings.Builder
	at := 0
	for _, p := range spans {
		out.WriteString(s[at:p.Start])
		out.WriteString(SecretText)
		at = p.End
	}
	out.WriteString(s[at:])
	return out.String(), true
}

// TextSecrets lists the secrets in a plain text, in order and without overlap.
func TextSecrets(s string) []Secret {
	var list []Secret
	for at := 0; ; {
		h, ok := nextHint(s, at)
		if !ok {
			return list
		}
		at = h.at + 1
		start, end, ok := h.secret(s)
		if !ok || s[start:end] == SecretText {
			continue
		}
		if n := len(list); n > 0 && start < list[n-1].End {
			start = list[n-1].End
		}
		if start >= end {
			continue
		}
		list = append(list, Secret{Start: start, End: end})
		at = max(at, end)
	}
}

// MayHoldSecret is the fast filter in front of RedactJSON and Redact: false
// means that neither would find anything.
func MayHoldSecret(b []byte) bool {
	s := alias(b)
	for at := 0; ; {
		h, ok := nextHint(s, at)
		if !ok {
			return false
		}
		if h.mayLead(s) {
			return true
		}
		at = h.at + 1
	}
}

// mayLead reports whether a secret may stand where the hint points.
func (h hint) mayLead(s string) bool {
	if h.form != nil {
		return !h.insideWord(s)
	}
	return listedName(s, h.end) || assignsAfter(s, h.end) && !contractName(s[nameStart(s, h.end):h.end])
}

// assignsAfter reports whether ':' or '=' follows a name that ends at i, quotes,
// escapes and blanks between them allowed.
func assignsAfter(s string, i int) bool {
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\', '"', '\'', ' ', '\t', '_', '-':
		case ':', '=':
			return true
		default:
			return false
		}
	}
	return false
}

// listedName reports whether the name that ends at i is the value of a member
// "name", as in {"name":"Authorization","value":"…"}.
func listedName(s string, i int) bool {
	if i >= len(s) || s[i] != '"' {
		return false
	}
	open := strings.LastIndexByte(s[:i], '"')
	before := strings.TrimRight(s[:max(open, 0)], " \t\r\n")
	before = strings.TrimRight(strings.TrimSuffix(before, ":"), " \t\r\n")
	return strings.HasSuffix(before, `"name"`)
}

// RedactJSON returns a JSON text with its secrets replaced, and their places in
// the original: string values of members whose name announces a secret (with
// all strings below them), and secrets inside other strings. The text is
// returned unchanged where there are none or where it is not valid JSON.
func RedactJSON(text []byte) ([]byte, []Secret) {
	r := jsonRedactor{text: text}
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	if err := r.value(d, false); err != nil || len(r.secrets) == 0 {
		return text, nil
	}
	return append(r.out, text[r.at:]...), r.secrets
}

type jsonRedactor struct {
	text    []byte
	out     []byte
	at      int
	secrets []Secret
}

func (r *jsonRedactor) value(d *jsontext.Decoder, secret bool) error {
	switch d.PeekKind() {
	case '{':
		return r.object(d, secret)
	case '[':
		return r.array(d, secret)
	case '"':
		return r.str(d, secret)
	}
	_, err := d.ReadToken()
	return err
}

func (r *jsonRedactor) array(d *jsontext.Decoder, secret bool) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := r.value(d, secret); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// object reads an object; in {"name": N, "value": V} the name N announces V.
func (r *jsonRedactor) object(d *jsontext.Decoder, secret bool) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	listed := false
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return err
		}
		key := tok.String()
		if key == "name" && d.PeekKind() == '"' {
			listed = SecretName(r.peekString(d))
		}
		if err := r.value(d, secret || SecretName(key) || listed && key == "value"); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// peekString returns the string that d will read next, up to its first escape.
func (r *jsonRedactor) peekString(d *jsontext.Decoder) string {
	rest := r.text[d.InputOffset():]
	open := bytes.IndexByte(rest, '"')
	end := bytes.IndexByte(rest[open+1:], '"')
	if open < 0 || end < 0 {
		return ""
	}
	return string(rest[open+1 : open+1+end])
}

func (r *jsonRedactor) str(d *jsontext.Decoder, secret bool) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	end := int(d.InputOffset())
	start := end - len(raw)
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return err
	}
	redacted, found := SecretText, secret && !placeholder(string(text))
	if !found {
		if redacted, found = Redact(string(text)); !found {
			return nil
		}
	}
	r.secrets = append(r.secrets, Secret{start, end, string(d.StackPointer())})
	r.out = append(r.out, r.text[r.at:start]...)
	if r.out, err = jsontext.AppendQuote(r.out, redacted); err != nil {
		return err
	}
	r.at = end
	return nil
}

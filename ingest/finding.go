package ingest

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-bench/assay/schema"
)

// A finding is a fault before its place in the run is known.
type finding struct {
	code     *schema.FindingCode
	severity schema.Severity // empty: that of the code
	file     string
	line     int64
	column   int64
	pointer  string
	have     string
	want     string
}

// haveBytes is how much of a value a finding shows.
const haveBytes = 200

// report judges a finding and adds it to the run, as far as there is room. What it
// shows is redacted, shortened and copied, since the bytes it was cut from are
// overwritten.
func (r *Reader) report(f finding) {
	if f.severity == "" {
		f.severity = f.code.Severity
	}
	decides := r.decides(f)
	r.reported[f.code]++
	// The reason of an exclusion must not be lost among many faults.
	if r.reported[f.code] > r.options.MaxFindings && !decides {
		return
	}
	r.list(f)
}

// countOmitted says of which codes more was found than is listed.
func (r *Reader) countOmitted() {
	for _, code := range schema.FindingCodes {
		if n := r.reported[code]; n > r.options.MaxFindings {
			r.list(finding{code: &schema.FindingsOmitted, severity: schema.FindingsOmitted.Severity,
				have: strconv.Itoa(n) + " of " + code.Name, want: "at most " + strconv.Itoa(r.options.MaxFindings) + " listed of one code"})
		}
	}
}

// list adds a finding to those of the run.
func (r *Reader) list(f finding) {
	have, _ := schema.Redact(f.have)
	pointer := redactPointer(f.pointer)
	if len(have) > haveBytes {
		n := haveBytes
		for n > 0 && !utf8.RuneStart(have[n]) {
			n--
		}
		have = have[:n] + "…"
	}
	// Escaped, a text may look like a secret that it did not look like before.
	have, _ = schema.Redact(printable(have))
	r.run.Findings = append(r.run.Findings, schema.Finding{
		Code: f.code, Severity: f.severity, RunPath: r.run.Dir.Path, File: f.file, Line: f.line, Column: f.column,
		Pointer: strings.Clone(strings.ToValidUTF8(pointer, "\ufffd")), Have: have, Want: strings.Clone(f.want),
	})
}

// redactPointer redacts the tokens of a JSON pointer, each as the key that it is.
func redactPointer(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		key := strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
		if clean, found := schema.Redact(key); found {
			tokens[i] = escapePointer(clean)
		}
	}
	return strings.Join(tokens, "/")
}

// printable copies a text with everything escaped that could move a cursor,
// change its direction or hide: what stands in raw files is shown on terminals.
func printable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// decides reports whether a finding is now the one that excludes the run.
func (r *Reader) decides(f finding) bool {
	if f.severity != schema.SeverityError {
		return false
	}
	r.dropped = r.dropped || !f.code.EventsKept
	now := &schema.Finding{Code: f.code, File: f.file, Line: f.line, Column: f.column}
	if r.excluding != nil && CompareExcluding(now, r.excluding) >= 0 {
		return false
	}
	r.excluding = now
	return true
}

// secretIn reports whether what a violation shows overlaps a secret of its text.
func secretIn(secrets []schema.Secret, v schema.Violation) bool {
	// The secrets stand in order: the first that ends behind the offset decides.
	i := sort.Search(len(secrets), func(i int) bool { return secrets[i].End > v.Offset })
	return i < len(secrets) && secrets[i].Start < v.Offset+len(v.Have)
}

// haveOf is what a violation shows of a text with these secrets.
func haveOf(secrets []schema.Secret, v schema.Violation) string {
	if secretIn(secrets, v) {
		return schema.SecretText
	}
	return v.Have
}

// secretsOf finds the secrets of a text, and the text without them. Where it is
// not JSON they are searched for as in plain text.
func secretsOf(text []byte, isJSON bool) ([]byte, []schema.Secret) {
	if !schema.MayHoldSecret(text) {
		return text, nil
	}
	if isJSON {
		return schema.RedactJSON(text)
	}
	return text, schema.TextSecrets(string(text))
}

// lineSecrets is secretsOf a line that the decoder has just read.
func (r *Reader) lineSecrets(line []byte, isJSON bool) ([]byte, []schema.Secret) {
	if !r.events.MayHoldSecret() {
		return line, nil
	}
	return secretsOf(line, isJSON)
}

// reportSecrets notes the secrets of a line or document: one finding for each.
func (r *Reader) reportSecrets(file string, line int64, secrets []schema.Secret) {
	if len(secrets) == 0 {
		return
	}
	f := finding{code: &schema.SecretDetected, file: file, line: line, column: int64(secrets[0].Start) + 1,
		pointer: secrets[0].Pointer, have: schema.SecretText, want: "no secret"}
	if r.options.StrictSecrets {
		f.severity = schema.SeverityError
	}
	r.report(f)
}

// trimBOM cuts a byte order mark.
func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

package ingest

import (
	"bytes"
	"strings"

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

// report adds a finding to the run. What it shows is redacted, shortened and
// copied, since the bytes it was cut from are overwritten.
func (r *Reader) report(f finding) {
	if f.severity == "" {
		f.severity = f.code.Severity
	}
	decides := r.decides(f)
	// The reason of an exclusion must not be lost among many faults.
	if len(r.run.Findings) >= r.options.MaxFindings && !decides {
		r.run.FindingsOmitted++
		return
	}
	have, _ := schema.Redact(f.have)
	pointer, _ := schema.Redact(f.pointer)
	if len(have) > haveBytes {
		have = strings.ToValidUTF8(have[:haveBytes], "") + "…"
	}
	r.run.Findings = append(r.run.Findings, schema.Finding{
		Code: f.code, Severity: f.severity, RunPath: r.run.Dir.Path, File: f.file, Line: f.line, Column: f.column,
		Pointer: strings.Clone(pointer), Have: strings.Clone(have), Want: strings.Clone(f.want),
	})
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
	for _, s := range secrets {
		if v.Offset < s.End && v.Offset+len(v.Have) > s.Start {
			return true
		}
	}
	return false
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

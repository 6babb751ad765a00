package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// readResults reads and judges test_results.json.
func (r *Reader) readResults(files fileSet) error {
	in, ok, err := readBeside(r, files, &r.results, func(v *schema.TestResults) (string, string) { return v.SchemaVersion, v.RunID })
	if !ok {
		return err
	}
	r.checkPatchHash(in)
	r.run.TestResults = r.results.redact(in)
	return nil
}

// readMetrics reads and judges final_metrics.json.
func (r *Reader) readMetrics(files fileSet) error {
	in, ok, err := readBeside(r, files, &r.metrics, func(v *schema.FinalMetrics) (string, string) { return v.SchemaVersion, v.RunID })
	if !ok {
		return err
	}
	for _, m := range in.value.Metrics {
		if r.options.MetricNames != nil && !r.options.MetricNames[m.Name] && !strings.HasPrefix(m.Name, "x_") {
			r.reportIn(in.text, finding{code: &schema.UnknownKey, file: schema.DocumentFinalMetrics.File, pointer: "/metrics/" + escapePointer(m.Name),
				have: m.Name, want: "a metric of the registry, or a name beginning with x_"})
		}
	}
	r.run.FinalMetrics = r.metrics.redact(in)
	return nil
}

// readBeside reads a document that stands beside the trajectory. One that breaks
// the contract is left out, and costs the metrics that rest on it.
func readBeside[T any](r *Reader, files fileSet, d *document[T], head func(*T) (version, runID string)) (in reading[T], ok bool, err error) {
	if !files.has(d.kind.File) {
		return in, false, nil
	}
	if ok, err = r.readFile(d.kind.File, func() error { return d.text.readFrom(&r.source) }); !ok {
		return in, false, err
	}
	in = d.decode()
	if in.value == nil {
		reportDocument(r, d.kind, in, false, func(v schema.Violation) *schema.FindingCode { return v.Code })
		return in, false, nil
	}
	have, runID := head(in.value)
	readable, newer, want := version(have)
	if !readable {
		r.reportIn(in.text, finding{code: &schema.DocumentUnreadable, file: d.kind.File, pointer: "/schema_version", have: have, want: want})
		return in, false, nil
	}
	if newer {
		r.reportIn(in.text, newerMinor(d.kind.File, 0, have))
	}
	reportDocument(r, d.kind, in, newer, besideCode)
	if m := r.run.Manifest; m != nil && runID != m.RunID && runID != "" {
		r.reportIn(in.text, finding{code: &schema.EventRunIDMismatch, file: d.kind.File, pointer: "/run_id", have: runID, want: m.RunID})
		return in, false, nil
	}
	for _, v := range in.violations {
		if v.Code == &schema.EventSchema {
			return in, false, nil
		}
	}
	return in, true, nil
}

// besideCode is the code of a violation in a document that is one object.
func besideCode(v schema.Violation) *schema.FindingCode {
	if v.Code == &schema.EventSchema {
		return &schema.DocumentUnreadable
	}
	return v.Code
}

// checkPatchHash compares the patch that was evaluated with patch.diff.
func (r *Reader) checkPatchHash(in reading[schema.TestResults]) {
	if in.value.Patch == nil {
		return
	}
	want, ok := in.value.Patch.SHA256.Get()
	if !ok {
		return
	}
	f := finding{file: schema.DocumentTestResults.File, pointer: "/patch/sha256", want: want}
	patch, there := r.run.File(schema.PatchFile)
	switch {
	case there && patch.SHA256 != want:
		f.code, f.have = &schema.ArtifactHashMismatch, "patch.diff with "+patch.SHA256
	case !there && want != emptySHA256:
		f.code, f.have = &schema.ArtifactMissing, "no patch.diff"
	default:
		return
	}
	r.reportIn(in.text, f)
}

// emptySHA256 is the hash of a patch without bytes, which needs no file.
var emptySHA256 = func() string {
	sum := sha256.Sum256(nil)
	return hex.EncodeToString(sum[:])
}()

// escapePointer escapes a token of a JSON pointer (RFC 6901).
func escapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

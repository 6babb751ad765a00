package ingest

import (
	"path"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// readManifest reads and judges run_manifest.json.
func (r *Reader) readManifest(files fileSet) error {
	name := schema.DocumentManifest.File
	if !files.has(name) {
		r.report(finding{code: &schema.ManifestMissing, file: name, have: "no such file", want: "the manifest of the run"})
		return nil
	}
	ok, err := r.readFile(name, func() error { return r.manifest.text.readFrom(&r.source) })
	if !ok {
		return err
	}
	f, _ := r.run.File(name)
	known := r.run.Dir.ManifestSHA256
	if known != "" && f.SHA256 != known {
		r.report(finding{code: &schema.ChangedWhileReading, file: name, have: f.SHA256, want: known})
	}
	in := r.manifest.decode()
	if in.value == nil {
		reportDocument(r, &schema.DocumentManifest, in, false, func(schema.Violation) *schema.FindingCode { return &schema.ManifestUnreadable })
		return nil
	}
	r.run.Manifest = in.value
	readable, newer, want := version(in.value.SchemaVersion)
	if !readable {
		r.reportIn(in.text, finding{code: &schema.ManifestVersionUnsupported, file: name, pointer: "/schema_version", have: in.value.SchemaVersion, want: want})
		r.run.Manifest = r.manifest.redact(in)
		return nil
	}
	if newer {
		r.reportIn(in.text, newerMinor(name, 0, in.value.SchemaVersion))
	}
	reportDocument(r, &schema.DocumentManifest, in, newer, manifestCode)
	if judged := r.run.Dir.ManifestFaultless && f.SHA256 == known; !judged && !r.unbelieved() {
		r.checkIdentity(in)
	}
	r.run.Manifest = r.manifest.redact(in)
	return nil
}

// manifestCode is the code of a violation in a manifest that is one object.
func manifestCode(v schema.Violation) *schema.FindingCode {
	if v.Code == &schema.UnknownKey {
		return v.Code
	}
	return &schema.ManifestSchema
}

// unbelieved reports whether a fault so far keeps the run from being identified.
func (r *Reader) unbelieved() bool { return r.run.Unidentified() }

// checkIdentity recomputes what the manifest derives, and compares the path.
func (r *Reader) checkIdentity(in reading[schema.Manifest]) {
	name, m := schema.DocumentManifest.File, in.value
	if id, err := m.Identity().RunID(); err != nil || id != m.RunID {
		r.reportIn(in.text, finding{code: &schema.RunIDMismatch, file: name, pointer: "/run_id", have: m.RunID, want: id})
	} else {
		r.checkPath(m)
	}
	for _, c := range []struct {
		pointer string
		config  schema.Object
		sum     string
	}{
		{"/harness_config_sha256", m.HarnessConfig, m.HarnessConfigSHA256},
		{"/model_config_sha256", m.ModelConfig, m.ModelConfigSHA256},
	} {
		if sum, err := schema.CanonicalSHA256([]byte(c.config)); err != nil || sum != c.sum {
			r.reportIn(in.text, finding{code: &schema.ConfigHashMismatch, file: name, pointer: c.pointer, have: c.sum, want: sum})
		}
	}
}

// checkPath compares the last segments of the path, as far as they lie under the
// root, with the manifest.
func (r *Reader) checkPath(m *schema.Manifest) {
	segments := strings.Split(r.run.Dir.Path, "/")
	if r.run.Dir.Path == "." {
		return
	}
	last := len(segments) - 1
	if r.run.Dir.Superseded() {
		segments[last], _, _ = strings.Cut(segments[last], schema.UnfinishedSuffix)
	}
	want := []string{m.ExperimentID, m.HarnessID, m.TaskID, m.RunID}
	for i := 1; i <= min(len(segments), len(want)); i++ {
		if segments[len(segments)-i] != want[len(want)-i] {
			r.report(finding{code: &schema.PathMismatch, file: "", have: r.run.Dir.Path, want: path.Join(want...)})
			return
		}
	}
}

package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// checkRun holds what must be true of any run, whatever its bytes.
func checkRun(t *testing.T, run ingest.Run, events int64) {
	t.Helper()
	if run.Events != events {
		t.Errorf("%d events counted, %d visited", run.Events, events)
	}
	for _, f := range run.Findings {
		if f.Code == nil || f.Want == "" && f.Code != &schema.Superseded || f.Line < 0 || f.Column < 0 {
			t.Errorf("a finding without place or want: %+v", f)
		}
		if !utf8.ValidString(f.Have + f.Pointer) {
			t.Errorf("a finding that is no text: %q %q", f.Have, f.Pointer)
		}
		if have, found := schema.Redact(f.Have); found {
			t.Errorf("a finding shows a secret: %q, want %q", f.Have, have)
		}
	}
	if run.ExcludedBy() == nil && !run.Finished {
		t.Error("a run without end is included")
	}
}

// FuzzTrajectory reads hostile bytes in the place of each kind of trajectory.
func FuzzTrajectory(f *testing.F) {
	f.Add(0, []byte(start()+line("2", "tool_call")+finish(3)))
	f.Add(0, []byte("\xef\xbb\xbf{}\r\n{\"seq\":1}\n"))
	f.Add(0, []byte(start()+`{"schema_version":"`+schema.Version+`"`))
	f.Add(1, gzipMember(f, start()+finish(2)))
	f.Add(2, zstdFrame(f, start()+finish(2)))
	names := []string{schema.TrajectoryFile, schema.TrajectoryFile + ".gz", schema.TrajectoryFile + ".zst"}
	dir := makeRun(f, "", "")
	reader := ingest.NewReader(ingest.Options{})
	f.Fuzz(func(t *testing.T, kind int, text []byte) {
		for _, name := range names {
			os.Remove(filepath.Join(dir.Location(), name))
		}
		name := names[uint(kind)%uint(len(names))]
		write(t, dir, name, string(text))
		var events, last int64
		run, err := reader.ReadRun(dir, func(e *schema.Event, p schema.Position) {
			if p.Line <= last || p.Length == 0 {
				t.Errorf("an event at line %d after %d", p.Line, last)
			}
			last = p.Line
			if events++; name == schema.TrajectoryFile {
				text := text[p.Offset : p.Offset+p.Length]
				if again, violations := schema.NewEventDecoder().Decode(text); again == nil || len(violations) > 0 {
					t.Errorf("the bytes at %+v are no event: %q", p, text)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		checkRun(t, run, events)
		if file, ok := run.File(name); !ok || file.SHA256 != sha256Hex(string(text)) {
			t.Error("the hash is not that of the bytes")
		}
	})
}

// FuzzDocuments reads hostile bytes in the place of the three documents.
func FuzzDocuments(f *testing.F) {
	dir := makeRun(f, schema.TrajectoryFile, start()+finish(2))
	good, err := os.ReadFile(filepath.Join(dir.Location(), schema.DocumentManifest.File))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(0, good)
	f.Add(0, []byte(strings.Replace(string(good), schema.Version, "1.99.0", 1)))
	f.Add(1, []byte(`{"schema_version":"`+schema.Version+`","run_id":"`+testID+`","tests":[{"name":"a","set":"other","status":"passed"}]}`))
	f.Add(2, []byte(`{"schema_version":"`+schema.Version+`","run_id":"`+testID+`","metrics":{"x_a":1e5,"x_token":null}}`))
	f.Add(3, []byte("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"))
	names := []string{schema.DocumentManifest.File, schema.DocumentTestResults.File, schema.DocumentFinalMetrics.File, schema.PatchFile}
	reader := ingest.NewReader(ingest.Options{})
	f.Fuzz(func(t *testing.T, kind int, text []byte) {
		for _, name := range names[1:] {
			os.Remove(filepath.Join(dir.Location(), name))
		}
		write(t, dir, names[0], string(good))
		write(t, dir, names[uint(kind)%uint(len(names))], string(text))
		var events int64
		run, err := reader.ReadRun(dir, func(*schema.Event, schema.Position) { events++ })
		if err != nil {
			t.Fatal(err)
		}
		checkRun(t, run, events)
		if run.ExcludedBy() == nil && run.Unidentified() {
			t.Error("an included run is unidentified")
		}
	})
}

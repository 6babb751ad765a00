package ingest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// codes renders findings as code@line, for comparison.
func codes(run ingest.Run) string {
	var out []string
	for _, f := range run.Findings {
		s := f.Code.Name
		if f.Severity != f.Code.Severity {
			s += "(" + string(f.Severity) + ")"
		}
		if f.Line > 0 {
			s += fmt.Sprint("@", f.Line)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// ev is one line of a trajectory with data given.
func ev(seq int, typ, data string) string {
	return fmt.Sprintf(`{"schema_version":"`+schema.Version+`","run_id":"%s","seq":%d,"ts":"2026-01-02T03:04:06Z","type":"%s","data":{%s}}`+"\n", testID, seq, typ, data)
}

func start() string         { return line("1", "run_started") }
func finish(seq int) string { return line(fmt.Sprint(seq), "run_finished") }

func TestTrajectoryFindings(t *testing.T) {
	long := strings.Repeat("x", 1000)
	cases := []struct {
		name, text, want string
		events           int
	}{
		{"good", start() + line("2", "tool_call") + finish(3), "", 3},
		{"empty", "", "trajectory_empty", 0},
		{"blank lines only", "\n  \r\n\t\n", "trajectory_empty", 0},
		{"no end", start() + line("2", "tool_call"), "run_unfinished@2", 2},
		{"cut", start() + `{"schema`, "truncated@2", 1},
		{"cut after the end", start() + finish(2) + `{"schema`, "json_syntax@3", 2},
		{"a bad last line with its newline", start() + "{\n", "json_syntax@2", 1},
		{"not started", line("1", "tool_call") + finish(2), "not_started_first@1", 0},
		{"started twice", start() + line("2", "run_started") + finish(3), "not_started_first@2", 1},
		{"the start cannot be read", "{]\n" + line("2", "tool_call") + finish(3), "json_syntax@1", 0},
		{"after the end", start() + finish(2) + line("3", "tool_call") + line("4", "tool_call"), "events_after_finish@3", 2},
		{"two ends", start() + finish(2) + finish(3), "events_after_finish@3", 2},
		{"a gap behind a bad line is one fault", start() + "{]\n" + line("9", "tool_call") + finish(10), "json_syntax@2", 1},
		{"back behind a bad line", start() + line("2", "tool_call") + "{]\n" + line("2", "tool_call") + finish(3), "json_syntax@3 seq_repeated@4", 2},
		{"another run", start() + strings.ReplaceAll(line("2", "tool_call")+line("3", "tool_call"), testID, strings.Repeat("0", 32)) + finish(4), "event_run_id_mismatch@2", 1},
		{"a higher major version", start() + strings.ReplaceAll(line("2", "tool_call")+finish(3), schema.Version, "2.1.0"), "event_version_unsupported@2", 1},
		{"a higher major version with other keys", start() + `{"schema_version":"2.0.0","what":1}` + "\n", "event_version_unsupported@2", 1},
		{"a newer minor version than the manifest", start() + strings.ReplaceAll(line("2", "tool_call"), schema.Version, "1.7.0") + finish(3), "newer_minor_version@2 event_version_unsupported@2", 1},
		{"a wrong type", start() + ev(2, "edit", `"target_paths":[],"applied":"yes"`) + finish(3), "event_schema@2", 1},
		{"a missing key", start() + ev(2, "edit", `"target_paths":[]`) + finish(3), "event_schema@2", 1},
		{"an unknown key", start() + ev(2, "file_read", `"path":"a","user":1`) + finish(3), "unknown_key@2", 1},
		{"a key of one's own", start() + ev(2, "file_read", `"path":"a","x_user":1`) + finish(3), "", 3},
		{"an unknown type", start() + ev(2, "file_write", ``) + finish(3), "unknown_event_type@2", 1},
		{"a negative count", start() + ev(2, "file_read", `"path":"a","tokens":-1`) + finish(3), "negative_value@2", 1},
		{"case of keys", start() + ev(2, "file_read", `"Path":"a"`) + finish(3), "unknown_key@2 event_schema@2", 1},
		{"a fraction for an integer", start() + ev(2, "file_read", `"path":"a","tokens":1.0`) + finish(3), "event_schema@2", 1},
		{"a lone surrogate", start() + ev(2, "file_read", `"path":"\ud800"`) + finish(3), "invalid_utf8@2", 1},
		{"no object", start() + "[]\n" + finish(3), "json_syntax@2", 1},
		{"a time that steps back is judged where times are used", start() + strings.ReplaceAll(line("2", "tool_call"), "03:04:06", "03:04:05") + finish(3), "", 3},
		{"null times", strings.ReplaceAll(start()+finish(2), `"2026-01-02T03:04:06Z"`, "null"), "", 2},
		{"a bad time", start() + strings.ReplaceAll(line("2", "tool_call"), "2026-01-02T", "2026-01-02 ") + finish(3), "event_schema@2", 1},
		{"several faults", start() + ev(2, "file_read", `"path":1`) + ev(4, "tool_call", `"call_id":"c"`) + "x\n", "event_schema@2 event_schema@3 event_schema@3 seq_gap@3 json_syntax@4", 1},
		{"a secret", start() + ev(2, "tool_call", `"call_id":"c","name":"n","status":"ok","arguments":{"api_key":"hunter2"}`) + finish(3), "secret_detected@2", 3},
		{"a secret of the wrong type", start() + ev(2, "file_read", `"path":"a","start_line":"sk-`+strings.Repeat("a1", 12)+`hunter2"`) + finish(3), "event_schema@2 secret_detected@2", 1},
		{"a secret in a broken line", start() + `{"api_key":"hunter2","x":}` + "\n" + finish(2), "json_syntax@2 secret_detected@2", 1},
		{"a long key", start() + ev(2, "file_read", `"path":"a","`+long+`":1`) + finish(3), "unknown_key@2", 1},
	}
	for _, c := range cases {
		run, events := read(t, makeRun(t, schema.TrajectoryFile, c.text), ingest.Options{})
		if have := codes(run); have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
		if len(events) != c.events || run.Events != int64(c.events) {
			t.Errorf("%s: %d events, want %d", c.name, len(events), c.events)
		}
		for _, f := range run.Findings {
			if strings.Contains(f.Have+f.Pointer, "hunter2") || len(f.Have) > 300 {
				t.Errorf("%s: have %q", c.name, f.Have)
			}
		}
	}
}

// Place, have and want of a finding are what a person needs to repair the file.
func TestPlaceHaveWant(t *testing.T) {
	text := start() + "\n" + ev(2, "edit", `"target_paths":[],"applied":"yes"`) + finish(3)
	run, _ := read(t, makeRun(t, schema.TrajectoryFile, text), ingest.Options{})
	f := run.Findings[0]
	column := int64(strings.Index(strings.Split(text, "\n")[2], `"yes"`) + 1)
	if f.File != "trajectory.jsonl" || f.Line != 3 || f.Column != column || f.Pointer != "/data/applied" || f.Have != `"yes"` || f.Want != "true or false" || f.RunID != testID {
		t.Errorf("have %+v, want trajectory.jsonl:3:%d /data/applied", f, column)
	}
}

func TestCompressedAndPositions(t *testing.T) {
	plain := "\xef\xbb\xbf" + start() + "\r\n" + strings.ReplaceAll(finish(2), "\n", "\r\n")
	for name, stored := range map[string]string{schema.TrajectoryFile: plain, schema.TrajectoryFile + ".gz": string(gzipMember(t, plain)), schema.TrajectoryFile + ".zst": string(zstdFrame(t, plain))} {
		dir := makeRun(t, name, stored)
		run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, func(e *schema.Event, p schema.Position) {
			text := plain[p.Offset : p.Offset+p.Length]
			if !strings.HasPrefix(text, `{"schema_version"`) || !strings.HasSuffix(text, "}") || p.Line != e.Seq*2-1 {
				t.Errorf("%s: event %d at %+v is %q", name, e.Seq, p, text)
			}
		})
		if err != nil || len(run.Findings) > 0 || run.Events != 2 || run.Trajectory != name {
			t.Errorf("%s: %v, %v, %d events", name, err, run.Findings, run.Events)
		}
		if want := sha256Hex(stored); run.TrajectorySHA256() != want {
			t.Errorf("%s: hash %s, want that of the bytes as stored, %s", name, run.TrajectorySHA256(), want)
		}
	}
	for name, stored := range map[string]string{
		"cut.zst":      string(zstdFrame(t, plain)[:40]),
		"trailing.zst": string(zstdFrame(t, plain)) + "junk behind",
		"empty.gz":     "",
		"plain.gz":     plain,
	} {
		as := schema.TrajectoryFile + filepath.Ext(name)
		run, _ := read(t, makeRun(t, as, stored), ingest.Options{})
		if codes(run) != "compression_damaged" {
			t.Errorf("%s: have %s, want compression_damaged", name, codes(run))
		}
		if f, _ := run.File(as); f.SHA256 != sha256Hex(stored) {
			t.Errorf("%s: hash %s, want that of the whole file", name, f.SHA256)
		}
	}
}

func TestFilesOfARun(t *testing.T) {
	good := start() + finish(2)
	results := `{"schema_version":"` + schema.Version + `","run_id":"` + testID + `","patch":{"sha256":"%s"}}`
	cases := []struct {
		name string
		make func(ingest.RunDir)
		want string
	}{
		{"two trajectories", func(d ingest.RunDir) { write(t, d, "trajectory.jsonl.gz", "") }, "trajectory_ambiguous"},
		{"no trajectory", func(d ingest.RunDir) { remove(t, d, "trajectory.jsonl") }, "trajectory_missing"},
		{"no manifest", func(d ingest.RunDir) { remove(t, d, "run_manifest.json") }, "manifest_missing"},
		{"a manifest that is no JSON", func(d ingest.RunDir) { write(t, d, "run_manifest.json", "{") }, "manifest_unreadable@1"},
		{"a manifest with a key twice", func(d ingest.RunDir) { write(t, d, "run_manifest.json", `{"a":1,"a":2}`) }, "manifest_unreadable@1"},
		{"final metrics", func(d ingest.RunDir) {
			write(t, d, "final_metrics.json", `{"schema_version":"`+schema.Version+`","run_id":"`+testID+`","metrics":{"input_tokens":3,"x_a":null}}`)
		}, ""},
		{"a metric of no registry", func(d ingest.RunDir) {
			write(t, d, "final_metrics.json", `{"schema_version":"`+schema.Version+`","run_id":"`+testID+`","metrics":{"speed":3}}`)
		}, "unknown_key@1"},
		{"results of another run", func(d ingest.RunDir) {
			write(t, d, "test_results.json", `{"schema_version":"`+schema.Version+`","run_id":"`+strings.Repeat("a", 32)+`"}`)
		}, "event_run_id_mismatch@1"},
		{"results with a wrong type", func(d ingest.RunDir) {
			write(t, d, "test_results.json", `{"schema_version":"`+schema.Version+`","run_id":"`+testID+`","tests":3}`)
		}, "document_unreadable@1"},
		{"results of a higher version", func(d ingest.RunDir) { write(t, d, "test_results.json", `{"schema_version":"2.0.0","other":1}`) }, "document_unreadable@1"},
		{"results of a newer minor version", func(d ingest.RunDir) {
			write(t, d, "test_results.json", `{"schema_version":"1.9.0","run_id":"`+testID+`","other":1}`)
		}, "newer_minor_version@1 unknown_key(info)@1"},
		{"the patch that was evaluated", func(d ingest.RunDir) {
			write(t, d, "patch.diff", "hello")
			write(t, d, "test_results.json", fmt.Sprintf(results, sha256Hex("hello")))
		}, ""},
		{"another patch", func(d ingest.RunDir) {
			write(t, d, "patch.diff", "hello")
			write(t, d, "test_results.json", fmt.Sprintf(results, sha256Hex("other")))
		}, "artifact_hash_mismatch@1"},
		{"a patch that is gone", func(d ingest.RunDir) {
			write(t, d, "test_results.json", fmt.Sprintf(results, sha256Hex("other")))
		}, "artifact_missing@1"},
		{"an empty patch that was never written", func(d ingest.RunDir) {
			write(t, d, "test_results.json", fmt.Sprintf(results, sha256Hex("")))
		}, ""},
		{"a link that leads out", func(d ingest.RunDir) { link(t, d, "/etc/hostname", "patch.diff") }, "unsafe_path"},
		{"a link that stays", func(d ingest.RunDir) { link(t, d, "trajectory.jsonl", "patch.diff") }, "link_not_followed"},
		{"a directory for a file", func(d ingest.RunDir) { mkdir(t, d, "patch.diff") }, "unreadable"},
	}
	for _, c := range cases {
		dir := makeRun(t, schema.TrajectoryFile, good)
		c.make(dir)
		run, _ := read(t, dir, ingest.Options{MetricNames: map[string]bool{"input_tokens": true}})
		if have := codes(run); have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
		if c.name == "a directory for a file" && run.Findings[0].Have != "a directory" {
			t.Errorf("%s: have %q", c.name, run.Findings[0].Have)
		}
	}
}

func TestArtifacts(t *testing.T) {
	hello := sha256Hex("hello")
	cases := []struct {
		name, artifacts, want string
		make                  func(ingest.RunDir)
	}{
		{"listed and there", `"patch.diff":"` + hello + `"`, "", func(d ingest.RunDir) { write(t, d, "patch.diff", "hello") }},
		{"in a folder", `"context/` + hello + `":"` + hello + `"`, "", func(d ingest.RunDir) { mkdir(t, d, "context"); write(t, d, "context/"+hello, "hello") }},
		{"not there", `"patch.diff":"` + hello + `"`, "artifact_missing@2", func(ingest.RunDir) {}},
		{"other bytes", `"patch.diff":"` + hello + `"`, "artifact_hash_mismatch@2", func(d ingest.RunDir) { write(t, d, "patch.diff", "other") }},
		{"a path that leads out", `"../x":"` + hello + `"`, "unsafe_path@2", func(ingest.RunDir) {}},
		{"an absolute path", `"/etc/hostname":"` + hello + `"`, "unsafe_path@2", func(ingest.RunDir) {}},
		{"a folder that is a link", `"out/hostname":"` + hello + `"`, "unsafe_path artifact_missing@2", func(d ingest.RunDir) { link(t, d, "/etc", "out") }},
		{"the manifest", `"run_manifest.json":"` + hello + `"`, "artifact_hash_mismatch@2", func(ingest.RunDir) {}},
		{"no hash", `"patch.diff":"x"`, "event_schema@2", func(ingest.RunDir) {}},
	}
	for _, c := range cases {
		dir := makeRun(t, schema.TrajectoryFile, start()+ev(2, "run_finished", `"ending":"completed","outcome":"resolved","artifacts":{`+c.artifacts+`}`))
		c.make(dir)
		run, _ := read(t, dir, ingest.Options{})
		if have := codes(run); have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
	}
}

// edit changes members of a manifest; a nil value removes one.
func edit(t *testing.T, dir ingest.RunDir, changes map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir.Location(), schema.DocumentManifest.File))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for key, value := range changes {
		if m[key] = value; value == nil {
			delete(m, key)
		}
	}
	if text, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	write(t, dir, schema.DocumentManifest.File, string(text))
}

func TestManifestFindings(t *testing.T) {
	cases := []struct {
		name         string
		changes      map[string]any
		want         string
		unidentified bool
	}{
		{"as written", nil, "", false},
		{"a key of one's own", map[string]any{"x_note": 1}, "", false},
		{"an unknown key", map[string]any{"note": 1}, "unknown_key@1", false},
		{"a missing key", map[string]any{"task_id": nil}, "manifest_schema@1", true},
		{"another id", map[string]any{"run_id": strings.Repeat("0", 32)}, "run_id_mismatch@1 event_run_id_mismatch@1", true},
		{"another repetition", map[string]any{"repetition": 2}, "run_id_mismatch@1", true},
		{"another configuration", map[string]any{"harness_config": map[string]any{"tool": "find"}}, "config_hash_mismatch@1", false},
		{"an integer beyond RFC 8785", map[string]any{"harness_config": map[string]any{"n": 1 << 60}}, "manifest_unreadable@1", true},
		{"a negative budget", map[string]any{"context_budget": -1}, "manifest_schema@1", true},
		{"what is not recorded", map[string]any{"not_recorded": []any{"tool_call.status", "edit"}}, "", false},
		{"an unknown word of it", map[string]any{"not_recorded": []any{"edits"}}, "manifest_schema@1", true},
		{"a higher major version", map[string]any{"schema_version": "2.0.0", "other": 1}, "manifest_version_unsupported@1", false},
		{"a newer minor version", map[string]any{"schema_version": "1.9.0", "other": 1}, "newer_minor_version@1 unknown_key(info)@1 event_version_unsupported@1", false},
		{"a secret", map[string]any{"environment": map[string]any{"api_key": "hunter2"}}, "secret_detected@1", false},
	}
	for _, c := range cases {
		dir := makeRun(t, schema.TrajectoryFile, start()+finish(2))
		edit(t, dir, c.changes)
		run, _ := read(t, dir, ingest.Options{})
		if have := codes(run); have != c.want || run.Unidentified() != c.unidentified {
			t.Errorf("%s: have %s, unidentified %v, want %s, %v", c.name, have, run.Unidentified(), c.want, c.unidentified)
		}
		if run.Manifest != nil && strings.Contains(string(run.Manifest.Environment.Or("")), "hunter2") {
			t.Errorf("%s: the manifest shows a secret", c.name)
		}
		head, _, err := ingest.NewReader(ingest.Options{}).ReadManifest(dir)
		if err != nil || (head.RunID == "") != c.unidentified {
			t.Errorf("%s: the manifest alone gives %q, %v", c.name, head.RunID, err)
		}
	}
}

func TestPathMismatch(t *testing.T) {
	dir := makeRun(t, schema.TrajectoryFile, start()+finish(2))
	for _, path := range []string{"e1/h1/t2/" + testID, "e2/h1/t1/" + testID, "t1/r-0001", "h1/t1/" + testID, testID} {
		moved := filepath.Join(t.TempDir(), "raw")
		if err := os.CopyFS(filepath.Join(moved, path), os.DirFS(dir.Location())); err != nil {
			t.Fatal(err)
		}
		run, _ := read(t, ingest.RunDir{Root: moved, Path: path}, ingest.Options{})
		want := "path_mismatch"
		if strings.HasSuffix("e1/h1/t1/"+testID, path) {
			want = ""
		}
		if have := codes(run); have != want {
			t.Errorf("%s: have %s, want %s", path, have, want)
		}
	}
}

func TestSupersededRun(t *testing.T) {
	dir := makeRun(t, schema.TrajectoryFile, start())
	if err := os.Rename(dir.Location(), dir.Location()+".unfinished-1"); err != nil {
		t.Fatal(err)
	}
	dir.Path += ".unfinished-1"
	run, _ := read(t, dir, ingest.Options{})
	if have := codes(run); have != "superseded run_unfinished@1" || !dir.Superseded() {
		t.Errorf("have %s, want superseded and run_unfinished", have)
	}
}

// The manifest that was planned with must be the one that is read.
func TestManifestChangedSincePlan(t *testing.T) {
	dir := makeRun(t, schema.TrajectoryFile, start()+finish(2))
	r := ingest.NewReader(ingest.Options{})
	head, _, err := r.ReadManifest(dir)
	if err != nil || head.RunID != testID {
		t.Fatal(head, err)
	}
	if run, _ := read(t, head.Dir, ingest.Options{}); len(run.Findings) > 0 {
		t.Errorf("unchanged: %s", codes(run))
	}
	edit(t, dir, map[string]any{"x_note": 1})
	if run, _ := read(t, head.Dir, ingest.Options{}); codes(run) != "changed_while_reading" {
		t.Errorf("changed: have %s, want changed_while_reading", codes(run))
	}
}

// Case 80: a run that grows while it is read is never taken for a whole one.
func TestGrowingFile(t *testing.T) {
	dir := makeRun(t, schema.TrajectoryFile, start())
	f, err := os.OpenFile(filepath.Join(dir.Location(), schema.TrajectoryFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, func(e *schema.Event, _ schema.Position) {
		// The writer appends while the reader is at work: one half of a line.
		if _, err := f.WriteString(`{"schema_version"`); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	found := run.ExcludedBy()
	if found != &schema.ChangedWhileReading && found != &schema.Truncated {
		t.Errorf("excluded by %v, want changed_while_reading or truncated", found)
	}
}

func TestManyFaults(t *testing.T) {
	text := start() + strings.Repeat("{]\n", 5000)
	run, _ := read(t, makeRun(t, schema.TrajectoryFile, text), ingest.Options{MaxFindings: 100})
	last := run.Findings[len(run.Findings)-1]
	if len(run.Findings) != 101 || last.Code != &schema.FindingsOmitted || last.Have != "5000 of json_syntax" || last.Severity != schema.SeverityInfo {
		t.Errorf("%d findings, the last %+v, want 100 and findings_omitted", len(run.Findings), last)
	}
	// The reason of an exclusion stays, however late it comes, and so does a rare code.
	text = start() + strings.Repeat(ev(1, "file_read", `"path":"a"`), 200) + "{]\n" + finish(2)
	dir := makeRun(t, schema.TrajectoryFile, text)
	write(t, dir, "test_results.json", `{"schema_version":"2.0.0"}`)
	run, _ = read(t, dir, ingest.Options{MaxFindings: 100})
	counts := map[*schema.FindingCode]int{}
	for _, f := range run.Findings {
		counts[f.Code]++
	}
	if run.ExcludedBy() != &schema.JSONSyntax || counts[&schema.SeqRepeated] != 100 || counts[&schema.DocumentUnreadable] != 1 || counts[&schema.FindingsOmitted] != 1 {
		t.Errorf("excluded by %v with %v, want json_syntax, 100 seq_repeated, document_unreadable and findings_omitted", run.ExcludedBy(), counts)
	}
}

func TestExperiment(t *testing.T) {
	root := t.TempDir()
	plan := schema.Plan{ExperimentID: "e1", Tasks: []string{"t1"}, Repetitions: schema.Some[int64](2)}
	if err := record.WriteExperiment(root, plan, record.Options{}); err != nil {
		t.Fatal(err)
	}
	text := "\xef\xbb\xbf{\"id\":\"t1\",\"language\":\"go\"}\r\n\n{\"id\":3}\n{\"id\":\"t2\"}"
	if err := os.WriteFile(filepath.Join(root, "e1", "tasks.jsonl"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	found, err := ingest.Discover([]string{root})
	if err != nil || len(found.Experiments) != 1 {
		t.Fatal(found, err)
	}
	e, err := ingest.ReadExperiment(found.Experiments[0])
	if err != nil || e.Plan == nil || e.Plan.Repetitions.Or(0) != 2 {
		t.Fatal(e, err)
	}
	if len(e.Tasks) != 2 || e.Tasks[0].ID != "t1" || e.Tasks[0].Language.Or("") != "go" || e.Tasks[1].ID != "t2" {
		t.Errorf("tasks %v, want t1 and t2", e.Tasks)
	}
	if len(e.Findings) != 1 || e.Findings[0].Code != &schema.PlanUnreadable || e.Findings[0].Line != 3 || len(e.Files) != 2 {
		t.Errorf("findings %v, want plan_unreadable at line 3", e.Findings)
	}
	if err := os.WriteFile(filepath.Join(root, "e1", "experiment.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err = ingest.ReadExperiment(found.Experiments[0])
	if err != nil || e.Plan != nil || !slices.ContainsFunc(e.Findings, func(f schema.Finding) bool { return f.Code == &schema.PlanUnreadable && f.File == "experiment.json" }) {
		t.Errorf("a plan without keys: %v %v", e, err)
	}
}

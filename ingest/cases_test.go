package ingest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// casesFolder is the folder of the cases, from ASSAY_CASES; by default it stands
// beside the repository.
func casesFolder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ASSAY_CASES")
	if dir == "" {
		dir = filepath.Join(moduleRoot(t), "..", "shared", "cases")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no cases: set ASSAY_CASES to their folder")
	}
	return dir
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// expectation is what expected.json says of one file.
type expectation struct {
	Events     *int    `json:"events"`
	EventRows  *int    `json:"event_rows"`
	ExcludedBy *string `json:"excluded_by"`
	Findings   *[]struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		Line     int64  `json:"line"`
	} `json:"findings"`
	ErrorLine   int64    `json:"error_line"`
	ErrorColumn int64    `json:"error_column"`
	ContainsAll []string `json:"error_contains_all"`
	LastEvent   string   `json:"last_event"`
}

// expected reads the right answer of a case; key leads to the part for one file.
func expected(t testing.TB, folder string, keys ...string) expectation {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	var e expectation
	part := all["expect"]
	// Several cases hold what is common beside what is of one file.
	json.Unmarshal(part, &e)
	for _, key := range keys {
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(part, &inner); err != nil {
			t.Fatal(err)
		}
		part = inner[key]
	}
	if err := json.Unmarshal(part, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// check compares a run with the right answer.
func check(t *testing.T, e expectation, run ingest.Run, events []event) {
	t.Helper()
	rows := len(events)
	if !run.EventsKept() {
		rows = 0
	}
	for _, want := range []*int{e.Events, e.EventRows} {
		if want != nil && rows != *want {
			t.Errorf("%d event rows, want %d", rows, *want)
		}
	}
	have := ""
	if code := run.ExcludedBy(); code != nil {
		have = code.Name
	}
	if e.ExcludedBy != nil && have != *e.ExcludedBy || e.ExcludedBy == nil && have != "" {
		t.Errorf("excluded by %q, want %v", have, e.ExcludedBy)
	}
	if e.Findings != nil {
		for i, want := range *e.Findings {
			if i >= len(run.Findings) {
				t.Errorf("%d findings, want one more: %v", len(run.Findings), want)
				break
			}
			if f := run.Findings[i]; f.Code.Name != want.Code || f.Line != want.Line || want.Severity != "" && string(f.Severity) != want.Severity {
				t.Errorf("finding %s %s at line %d, want %v", f.Code.Name, f.Severity, f.Line, want)
			}
		}
	}
	if e.ErrorLine != 0 {
		i := slices.IndexFunc(run.Findings, func(f schema.Finding) bool { return f.Line == e.ErrorLine })
		if i < 0 {
			t.Errorf("no finding at line %d: %v", e.ErrorLine, run.Findings)
		} else if e.ErrorColumn != 0 && run.Findings[i].Column != e.ErrorColumn {
			t.Errorf("column %d, want %d", run.Findings[i].Column, e.ErrorColumn)
		}
	}
	for _, text := range e.ContainsAll {
		if !slices.ContainsFunc(run.Findings, func(f schema.Finding) bool {
			return strings.Contains(f.File+" "+f.Pointer+" "+f.Have+" "+f.Want, text)
		}) {
			t.Errorf("no finding says %q: %v", text, run.Findings)
		}
	}
}

// The cases of one trajectory each: file, and the way to its answer.
func TestTrajectoryCases(t *testing.T) {
	root := casesFolder(t)
	cases := []struct {
		folder, file, as string
		keys             []string
		only             int // findings allowed, -1: any
	}{
		{folder: "001-bom-first-line", file: "trajectory.jsonl"},
		{folder: "003-crlf-lines", file: "trajectory.jsonl"},
		{folder: "005-torn-last-line", file: "trajectory.jsonl", only: 1},
		{folder: "006-complete-last-line-no-newline", file: "trajectory.jsonl"},
		{folder: "007-damage-in-the-middle", file: "trajectory.jsonl", only: 1},
		{folder: "009-two-records-one-line", file: "trajectory.jsonl", only: 1},
		{folder: "010-pretty-printed-record", file: "trajectory.jsonl", only: -1},
		{folder: "012-duplicate-keys", file: "trajectory.jsonl", only: 2},
		{folder: "015-integer-beyond-int64", file: "trajectory.jsonl", only: 1},
		{folder: "015-integer-beyond-int64", file: "u64.jsonl", only: 1},
		{folder: "019-invalid-utf8", file: "trajectory.jsonl", keys: []string{"files", "trajectory.jsonl"}, only: 1},
		{folder: "019-invalid-utf8", file: "torn-rune.jsonl", keys: []string{"files", "torn-rune.jsonl"}, only: 1},
		{folder: "022-gzip-members-and-cut", file: "two-members.jsonl.gz", as: "trajectory.jsonl.gz", keys: []string{"files", "two-members.jsonl.gz"}},
		{folder: "022-gzip-members-and-cut", file: "cut.jsonl.gz", as: "trajectory.jsonl.gz", keys: []string{"files", "cut.jsonl.gz"}, only: 1},
		{folder: "022-gzip-members-and-cut", file: "garbage.jsonl.gz", as: "trajectory.jsonl.gz", keys: []string{"files", "garbage.jsonl.gz"}, only: 1},
		{folder: "023-line-number-in-error", file: "trajectory.jsonl", only: 1},
		{folder: "024-sequence-faults", file: "gap.jsonl", keys: []string{"files", "gap.jsonl"}, only: -1},
		{folder: "024-sequence-faults", file: "repeat.jsonl", keys: []string{"files", "repeat.jsonl"}, only: 1},
		{folder: "024-sequence-faults", file: "backwards.jsonl", keys: []string{"files", "backwards.jsonl"}, only: -1},
		{folder: "024-sequence-faults", file: "starts-at-zero.jsonl", keys: []string{"files", "starts-at-zero.jsonl"}, only: -1},
		{folder: "028-timestamp-offsets", file: "trajectory.jsonl"},
		{folder: "128-secrets-reach-the-tables", file: "trajectory.jsonl", only: 3},
	}
	for _, c := range cases {
		t.Run(c.folder+"/"+c.file, func(t *testing.T) {
			folder := filepath.Join(root, c.folder)
			b, err := os.ReadFile(filepath.Join(folder, "input", c.file))
			if err != nil {
				t.Fatal(err)
			}
			as, text := c.as, string(b)
			if as == "" {
				as = schema.TrajectoryFile
				text = placeholders(text)
			} else {
				text = refill(t, b)
			}
			run, events := read(t, makeRun(t, as, text), ingest.Options{})
			check(t, expected(t, folder, c.keys...), run, events)
			if c.only >= 0 && len(run.Findings) != c.only {
				t.Errorf("%d findings, want %d: %v", len(run.Findings), c.only, run.Findings)
			}
		})
	}
}

// placeholders puts what the cases leave open into the final schema.
func placeholders(text string) string {
	text = strings.ReplaceAll(text, `{"note":`, `{"x_note":`)
	for _, key := range []string{`"headers":`, `"request":`, `"command":`} {
		if strings.Contains(text, `"data":{`+key) {
			text = nested(text, `"data":{`+key)
		}
	}
	return fill(text)
}

// nested puts the members of data under "arguments".
func nested(text, start string) string {
	var out strings.Builder
	for l := range strings.Lines(text) {
		if strings.Contains(l, start) {
			l = strings.Replace(l, `"data":{`, `"data":{"arguments":{`, 1)
			l = strings.TrimSuffix(l, "}}\n") + "}}}\n"
		}
		out.WriteString(l)
	}
	return out.String()
}

// refill rewrites the members of a .gz file with the placeholders filled in, and
// does to it what was done to the original: a cut of 6 bytes, junk behind it.
func refill(t *testing.T, original []byte) string {
	t.Helper()
	members, rest, cut := gunzipMembers(t, original)
	var out []byte
	for _, m := range members {
		out = append(out, gzipMember(t, placeholders(m))...)
	}
	if cut {
		return string(out[:len(out)-6])
	}
	return string(out) + string(rest)
}

func TestMadeCases(t *testing.T) {
	root := casesFolder(t)
	for _, c := range []struct {
		folder string
		args   []string
		keys   []string
	}{
		{"011-very-long-lines", nil, nil},
		{"021-deep-nesting", []string{"200"}, []string{"depth_200"}},
		{"021-deep-nesting", []string{"5000000"}, []string{"depth_5000000"}},
	} {
		t.Run(c.folder+strings.Join(c.args, "-"), func(t *testing.T) {
			made := filepath.Join(t.TempDir(), "made.jsonl")
			args := append([]string{filepath.Join(root, c.folder, "input", "make-input.sh"), made}, c.args...)
			if out, err := exec.Command("sh", args...).CombinedOutput(); err != nil {
				t.Skipf("the case's script needs a shell: %v %s", err, out)
			}
			b, err := os.ReadFile(made)
			if err != nil {
				t.Fatal(err)
			}
			run, events := read(t, makeRun(t, schema.TrajectoryFile, placeholders(string(b))), ingest.Options{})
			e := expected(t, filepath.Join(root, c.folder), c.keys...)
			e.ContainsAll = nil
			check(t, e, run, events)
			if e.LastEvent != "" && events[len(events)-1].typ != e.LastEvent {
				t.Errorf("last event %s, want %s", events[len(events)-1].typ, e.LastEvent)
			}
		})
	}
}

// Case 14: 2^53 and its neighbour stay different.
func TestIntegersBeyondDoubles(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(casesFolder(t), "014-integer-beyond-2-53", "input", "pair.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(b), `{"n":9007199254740992}`, `{"measurements":{"disk_bytes":9007199254740992}}`)
	text = fill(strings.ReplaceAll(text, `{"n":9007199254740993}`, `{"measurements":{"disk_bytes":9007199254740993}}`))
	dir := makeRun(t, schema.TrajectoryFile, text)
	var values []string
	run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, func(e *schema.Event, _ schema.Position) {
		if e.ResourceSample != nil {
			values = append(values, strings.Clone(string(e.ResourceSample.Measurements[0].Value)))
		}
	})
	if err != nil || len(run.Findings) > 0 {
		t.Fatal(err, run.Findings)
	}
	if want := []string{"9007199254740992", "9007199254740993"}; !slices.Equal(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
}

// Case 16: NaN, Infinity and a number beyond a double in final_metrics.json.
func TestNumbersThatAreNone(t *testing.T) {
	folder := filepath.Join(casesFolder(t), "016-nan-and-infinity-literals")
	for name, code := range map[string]*schema.FindingCode{"nan": &schema.JSONSyntax, "inf": &schema.JSONSyntax, "huge": &schema.NumberOutOfRange} {
		b, err := os.ReadFile(filepath.Join(folder, "input", name, "final_metrics.json"))
		if err != nil {
			t.Fatal(err)
		}
		_, value, _ := strings.Cut(strings.TrimSpace(string(b)), `"score":`)
		text := `{"schema_version":"` + schema.Version + `","run_id":"` + testID + `","metrics":{"x_score":` + value + "}"
		dir := makeRun(t, schema.TrajectoryFile, line("1", "run_started")+line("2", "run_finished"))
		write(t, dir, "final_metrics.json", text)
		run, _ := read(t, dir, ingest.Options{})
		if run.ExcludedBy() != code || run.FinalMetrics != nil || run.Findings[0].File != "final_metrics.json" {
			t.Errorf("%s: findings %v, want %s", name, run.Findings, code.Name)
		}
		if literal := strings.Trim(value, "}"); !strings.Contains(run.Findings[0].Have, literal) && !strings.HasPrefix(literal, "-") {
			t.Errorf("%s: have %q, want it to name %s", name, run.Findings[0].Have, literal)
		}
	}
}

// Case 28: four spellings of one instant.
func TestTimestampOffsets(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(casesFolder(t), "028-timestamp-offsets", "input", "trajectory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	_, events := read(t, makeRun(t, schema.TrajectoryFile, placeholders(string(b))), ingest.Options{})
	for _, e := range events {
		if at, ok := e.time.Get(); !ok || at != 1767290645678000 {
			t.Errorf("event %d at %v, want 1767290645678 ms", e.seq, at)
		}
	}
}

// Case 76: the clock runs backwards. Durations and steps are judged where they
// are used; here the events stay in the order of seq.
func TestClockRunsBackwards(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(casesFolder(t), "076-clock-runs-backwards", "input", "trajectory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	run, events := read(t, makeRun(t, schema.TrajectoryFile, placeholders(string(b))), ingest.Options{})
	if run.ExcludedBy() != nil || len(events) != 4 {
		t.Errorf("%d events, findings %v, want four and none", len(events), run.Findings)
	}
	for i, e := range events {
		if e.seq != int64(i)+1 {
			t.Errorf("event %d has seq %d", i, e.seq)
		}
	}
}

// Case 128: no secret reaches an event, a finding or a manifest.
func TestSecretsAreRedacted(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(casesFolder(t), "128-secrets-reach-the-tables", "input", "trajectory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	dir := makeRun(t, schema.TrajectoryFile, placeholders(string(b)))
	run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, func(e *schema.Event, _ schema.Position) {
		if e.ToolCall != nil && strings.Contains(string(e.ToolCall.Arguments.Or("")), "FAKE-SECRET") {
			t.Errorf("event %d shows a secret", e.Seq)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range run.Findings {
		if strings.Contains(f.Have+f.Pointer+f.Want, "FAKE") {
			t.Errorf("a finding shows a secret: %v", f)
		}
	}
	strict, _ := read(t, dir, ingest.Options{StrictSecrets: true})
	if strict.ExcludedBy() != &schema.SecretDetected {
		t.Errorf("strict: excluded by %v, want secret_detected", strict.ExcludedBy())
	}
}

// Case 126: ids that lead out of the results.
func TestHostileIDs(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(casesFolder(t), "126-run-id-as-path", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Expect struct {
			Refused          []string `json:"refused"`
			AcceptedControls []string `json:"accepted_controls"`
		} `json:"expect"`
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"experiment_id", "harness_id", "task_id", "run_id"} {
		for _, id := range slices.Concat(c.Expect.Refused, c.Expect.AcceptedControls) {
			dir := makeRun(t, schema.TrajectoryFile, line("1", "run_started")+line("2", "run_finished"))
			text, err := os.ReadFile(filepath.Join(dir.Location(), schema.DocumentManifest.File))
			if err != nil {
				t.Fatal(err)
			}
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			m[key] = id
			if text, err = json.Marshal(m); err != nil {
				t.Fatal(err)
			}
			write(t, dir, schema.DocumentManifest.File, string(text))
			run, _ := read(t, dir, ingest.Options{})
			refused := slices.ContainsFunc(run.Findings, func(f schema.Finding) bool { return f.Code == &schema.ManifestSchema })
			control := slices.Contains(c.Expect.AcceptedControls, id)
			if want := key == "run_id" || !control; refused != want {
				t.Errorf("%s %q: refused %v, want %v", key, id, refused, want)
			}
			if !run.Unidentified() {
				t.Errorf("%s %q: the directory is identified, want not", key, id)
			}
			for _, f := range run.Findings {
				if strings.ContainsAny(f.Have, "\x00\n") {
					t.Errorf("%s: have %q is not escaped", key, f.Have)
				}
			}
		}
	}
}

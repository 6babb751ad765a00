package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T, text string) []Question {
	t.Helper()
	questions, err := Load("questions.json", []byte(text), Features{})
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

const mixed = `[
	{"id":1,"q":"what is a datom","kw":["datom","entity","attribute","value","tx"]},
	{"id":2,"q":"nothing here","kw":["a"]},
	{"id":4,"q":"please crash","kw":["a"]},
	{"id":5,"q":"nonsense","kw":["a"]},
	{"id":6,"q":"slow one","kw":["slow","absent","missing"]},
	{"id":7,"q":"$(touch x); \"quoted\" {limit} --flag\n*","kw":["$(touch x); \"quoted\" {limit} --flag\n*"]}
]`

func toolOptions(t *testing.T) Options {
	t.Helper()
	t.Setenv(toolMode, "tool")
	return Options{
		Questions: load(t, mixed),
		Target:    Target{Command: "'" + os.Args[0] + "' --limit={limit} {q}", Name: "tool", Timeout: noLimit},
	}
}

func TestRunVerdicts(t *testing.T) {
	opts := toolOptions(t)
	want := []string{
		"PASS   0.800  1  what is a datom  missed: tx",
		"EMPTY  0.000  2  nothing here  missed: a",
		"ERROR  -      4  please crash  error: exit status 2: index is locked",
		`ERROR  -      5  nonsense  error: output is not JSON: invalid character 'S' looking for beginning of value; it begins "Segmentation fault"`,
		"FAIL   0.333  6  slow one  missed: absent,missing",
		`PASS   1.000  7  $(touch x); "quoted" {limit} --flag *`,
	}
	var first []byte
	for _, jobs := range []int{1, 4} {
		var lines []string
		opts.Jobs = jobs
		result, err := Run(context.Background(), opts, func(o Outcome) { lines = append(lines, o.Line()) })
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%d jobs: have\n%s\nwant\n%s", jobs, strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
		var file bytes.Buffer
		if err := WriteResults(&file, result.Results()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = file.Bytes()
		}
		if !bytes.Equal(first, file.Bytes()) {
			t.Errorf("%d jobs: have another results.json", jobs)
		}
		var summary strings.Builder
		if err := result.WriteSummary(&summary); err != nil {
			t.Fatal(err)
		}
		if have := "look at: 1 EMPTY (2); 2 ERROR (4, 5)\n"; !strings.HasSuffix(summary.String(), have) {
			t.Errorf("have %s, want its last line %s", summary.String(), have)
		}
	}
}

// A question that hangs is asked apart: its limit is one that nothing else may meet.
func TestRunHang(t *testing.T) {
	for _, jobs := range []int{1, 2} {
		opts := toolOptions(t)
		opts.Questions, opts.Target.Timeout, opts.Jobs = load(t, `[{"id":1,"q":"please hang","kw":["a"]},{"id":2,"q":"hang too","kw":["a"]}]`), short, jobs
		result, err := Run(context.Background(), opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"ERROR  -      1  please hang  error: no end after 300ms", "ERROR  -      2  hang too  error: no end after 300ms"} {
			if have := result.Outcomes[i].Line(); have != want {
				t.Errorf("%d jobs: have %s, want %s", jobs, have, want)
			}
		}
	}
}

func TestRunRefusesBeforeTheFirstQuestion(t *testing.T) {
	dir := t.TempDir()
	notExecutable := filepath.Join(dir, "text")
	if err := os.WriteFile(notExecutable, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte("\x7fELF nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(*Options)
		want string
	}{
		{"no such program", func(o *Options) { o.Target.Command = "no-such-program-here {q}" }, "no-such-program-here"},
		{"not executable", func(o *Options) { o.Target.Command = "'" + notExecutable + "' {q}" }, "permission"},
		{"no program", func(o *Options) { o.Target.Command = "'" + garbage + "' {q}" }, "cannot be started"},
		{"no place for the question", func(o *Options) { o.Target.Command = os.Args[0] }, "{q}"},
		{"no tool", func(o *Options) { o.Target.Command = "" }, "want one"},
		{"both tools", func(o *Options) { o.Target.MCP = "x" }, "want one"},
		{"open quote", func(o *Options) { o.Target.Command = "x ' {q}" }, "not closed"},
		{"preparation fails", func(o *Options) { o.Prepare = "sh -c 'echo no store >&2; exit 3'" }, "exit status 3: no store"},
		{"version fails", func(o *Options) { o.Target.VersionCommand = "sh -c 'exit 1'" }, "version"},
		{"no such question", func(o *Options) { o.Only = "99" }, `"99"`},
		{"no questions", func(o *Options) { o.Questions = nil }, "0 questions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("needs a POSIX shell and permission bits")
			}
			opts := toolOptions(t)
			c.edit(&opts)
			asked := 0
			_, err := Run(context.Background(), opts, func(Outcome) { asked++ })
			if err == nil || !strings.Contains(err.Error(), c.want) || asked > 0 {
				t.Errorf("have %v after %d questions, want an error with %q before the first", err, asked, c.want)
			}
		})
	}
}

func TestRunPrepareAndVersion(t *testing.T) {
	opts := toolOptions(t)
	opts.Only, opts.Prepare, opts.Target.VersionCommand = "1", "echo ready", "echo v1.2"
	result, err := Run(context.Background(), opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	// printf 'ready\n' | sha256sum
	const want = "ed1a545bb85e55816bbf9566b028b2a0bc456b88f49f6f266c0401048824194b"
	if result.Setup.PreparedSHA256 != want || result.Setup.Tool.Revision() != "v1.2" || len(result.Outcomes) != 1 {
		t.Errorf("have %+v, want one outcome, a prepared hash of %s and version v1.2", result.Setup, want)
	}
}

func TestSecretsOfTheCommandAreNotKept(t *testing.T) {
	opts := toolOptions(t)
	opts.Only = "1"
	opts.Target.Command = strings.Replace(opts.Target.Command, "{q}", "--token=abcdef0123456789 {q}", 1)
	result, err := Run(context.Background(), opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if have := result.Setup.Tool.Command; strings.Contains(have, "abcdef") || !strings.Contains(have, "{q}") {
		t.Errorf("have %s, want the token replaced and the rest as it is", have)
	}
}

func TestRunCancelled(t *testing.T) {
	opts := toolOptions(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("interrupted")
	_, err := Run(ctx, opts, func(Outcome) { cancel(stop) })
	if !errors.Is(err, stop) {
		t.Errorf("have %v, want %v", err, stop)
	}
}

func TestRunByMCP(t *testing.T) {
	t.Setenv(toolMode, "mcp")
	opts := Options{
		Questions: load(t, `[
			{"id":1,"q":"what is a \"datom\" {limit}","kw":["datom","entity","\"datom\" {limit}"]},
			{"id":2,"q":"please crash","kw":["a"]},{"id":4,"q":"again","kw":["again"]}]`),
		Target: Target{MCP: "'" + os.Args[0] + "'", Call: "search", Args: `{"query":"{query}","limit":{limit}}`, Name: "tool", Timeout: noLimit},
	}
	hanging := opts
	hanging.Questions, hanging.Target.Timeout = load(t, `[{"id":1,"q":"please hang","kw":["a"]},{"id":2,"q":"hang again","kw":["a"]}]`), short
	if result, err := Run(context.Background(), hanging, nil); err != nil || fmt.Sprint(verdicts(result)) != "[ERROR ERROR]" ||
		!result.Outcomes[0].Answer.TimedOut || !result.Outcomes[1].Answer.TimedOut {
		t.Errorf("have %v, %v, want two timeouts, each of a server of its own", result.Outcomes, err)
	}
	result, err := Run(context.Background(), opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if have, want := fmt.Sprint(verdicts(result)), "[PASS ERROR PASS]"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if have, want := result.Setup.Tool.Version, "recall-server 0.9"; have != want {
		t.Errorf("version: have %q, want %q", have, want)
	}
	for want, edit := range map[string]func(*Options){
		`no tool "absent"`: func(o *Options) { o.Target.Call = "absent" },
		"{query}":          func(o *Options) { o.Target.Args = `{}` },
	} {
		bad := opts
		edit(&bad)
		if _, err := Run(context.Background(), bad, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want an error with %q", err, want)
		}
	}
}

func TestShow(t *testing.T) {
	opts := toolOptions(t)
	opts.Only = "1"
	result, err := Run(context.Background(), opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Show(&out, result.Outcomes[0], Features{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"results":[{"body":"Asked: what is a datom"`, "body 2, id e2", `keyword "tx": missed`,
		`keyword "datom": matched, body 1, byte 18, 2 in all`, `keyword "attribute": matched, body 2, byte 23, 1 in all`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("have %s, want %q in it", out.String(), want)
		}
	}
}

func TestObserve(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	t.Chdir(t.TempDir())
	const note = "note"
	observer, err := ParseObserver("sh -c 'printf %s \"$1\" > " + note + "' sh {summary}")
	if err != nil {
		t.Fatal(err)
	}
	result := Result{Setup: Setup{Tool: Identity{Name: "cortex"}}, Outcomes: []Outcome{
		{Verdict: Pass, Scored: true, Score: Score{3, 5}}, {Verdict: Empty, Scored: true, Score: Score{0, 4}}, {Verdict: Error},
	}}
	if err := observer.Observe(context.Background(), result); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(note)
	if want := "3Q recall eval of cortex: 1 PASS / 0 FAIL / 1 EMPTY / 1 ERROR; mean keyword recall 0.300"; err != nil || string(have) != want {
		t.Errorf("have %q, %v, want %q", have, err, want)
	}
	for _, line := range []string{"echo", "no-such-program-here {summary}", "'"} {
		if _, err := ParseObserver(line); err == nil {
			t.Errorf("%q: have no error, want one", line)
		}
	}
}

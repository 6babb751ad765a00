//go:build unix

package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-bench/assay/eval/githistory"
)

// TestMain lets no variable and no configuration of whoever runs the tests reach git: a hook of git, for one, runs
// its program with GIT_DIR set.
func TestMain(m *testing.M) {
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Exit(m.Run())
}

// repository makes a checkout with two files.
func repository(t *testing.T) githistory.Checkout {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), "package a\n")
	write(t, filepath.Join(dir, "b c.go"), "package b\n")
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "Start")
	checkout, err := githistory.FindCheckout(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return checkout
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.invalid",
		"GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.invalid")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// send hands one event to the hook as the host program would.
func send(t *testing.T, checkout githistory.Checkout, session, name string, rest map[string]any) {
	t.Helper()
	message := map[string]any{"session_id": session, "cwd": checkout.Top, "hook_event_name": name}
	for key, value := range rest {
		message[key] = value
	}
	text, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	if err := Handle(context.Background(), strings.NewReader(string(text)), "true"); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func edit(t *testing.T, checkout githistory.Checkout, session, tool, file string) {
	t.Helper()
	send(t, checkout, session, eventTool, map[string]any{"tool_name": tool, "tool_input": map[string]any{"file_path": file}})
}

func casesOf(t *testing.T, checkout githistory.Checkout) []githistory.Case {
	t.Helper()
	text, err := os.ReadFile(checkout.Cases())
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	cases, err := githistory.ParseCases(checkout.Cases(), text)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestSession(t *testing.T) {
	checkout := repository(t)
	send(t, checkout, "s1", eventPrompt, map[string]any{"prompt": "Why does it fail for me@example.com?"})
	edit(t, checkout, "s1", "Edit", filepath.Join(checkout.Top, "a.go"))
	edit(t, checkout, "s1", "Write", filepath.Join(checkout.Top, "new.go"))
	edit(t, checkout, "s1", "Read", filepath.Join(checkout.Top, "b c.go"))
	edit(t, checkout, "s1", "Edit", "/elsewhere/x.go")
	edit(t, checkout, "s1", "Edit", filepath.Join(checkout.GitDir, "config"))
	send(t, checkout, "s1", eventStop, nil)
	want := []githistory.Case{{
		ID: sessionID("s1"), Prompt: "Why does it fail for [email]?", Commit: checkout.Head, Files: []string{"a.go"}, Created: 1,
	}}
	if diff := cmp.Diff(want, casesOf(t, checkout)); diff != "" {
		t.Error(diff)
	}

	// the session goes on: a later prompt changes nothing, a later commit neither, a later file is added
	git(t, checkout.Top, "commit", "-q", "--allow-empty", "-m", "Later")
	send(t, checkout, "s1", eventPrompt, map[string]any{"prompt": "And now the other"})
	edit(t, checkout, "s1", "MultiEdit", "b c.go")
	send(t, checkout, "s1", eventEnd, nil)
	want[0].Files = []string{"a.go", "b c.go"}
	if diff := cmp.Diff(want, casesOf(t, checkout)); diff != "" {
		t.Error(diff)
	}
	if left, _ := filepath.Glob(filepath.Join(checkout.GitDir, journalsDir, "*")); len(left) > 0 {
		t.Errorf("have %v left, want no journal of a session that ended", left)
	}
}

func TestSessionWithoutChangesLeavesNothing(t *testing.T) {
	checkout := repository(t)
	send(t, checkout, "s1", eventPrompt, map[string]any{"prompt": "What is this?"})
	send(t, checkout, "s1", eventEnd, nil)
	if have := casesOf(t, checkout); len(have) > 0 {
		t.Errorf("have %v, want no case", have)
	}
}

func TestOnlyWhenSwitchedOn(t *testing.T) {
	checkout := repository(t)
	for _, active := range []string{"", "false", "1", "TRUE"} {
		text := fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":"x"}`, checkout.Top)
		if err := Handle(context.Background(), strings.NewReader(text), active); err != nil {
			t.Error(err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(checkout.GitDir, "assay-*")); len(found) > 0 {
		t.Errorf("have %v, want nothing written", found)
	}
}

func TestConcurrentSessionsLoseNothing(t *testing.T) {
	checkout := repository(t)
	var sessions sync.WaitGroup
	for i := range 30 {
		sessions.Go(func() {
			session := fmt.Sprint("s", i)
			send(t, checkout, session, eventPrompt, map[string]any{"prompt": "Prompt of " + session})
			edit(t, checkout, session, "Edit", filepath.Join(checkout.Top, "a.go"))
			send(t, checkout, session, eventEnd, nil)
		})
	}
	sessions.Wait()
	if err := Collect(context.Background(), checkout); err != nil {
		t.Fatal(err)
	}
	prompts := map[string]bool{}
	for _, c := range casesOf(t, checkout) {
		prompts[c.Prompt] = true
	}
	if len(prompts) != 30 {
		t.Errorf("have %d cases, want 30", len(prompts))
	}
}

func TestTheNewestCasesAreKept(t *testing.T) {
	checkout := repository(t)
	var lines [][]byte
	for i := range MaxCases + 3 {
		lines = upsert(lines, githistory.Case{ID: fmt.Sprint(i), Commit: checkout.Head, Files: []string{}})
	}
	if err := replace(checkout.Cases(), lines); err != nil {
		t.Fatal(err)
	}
	send(t, checkout, "new", eventPrompt, map[string]any{"prompt": "Newest"})
	edit(t, checkout, "new", "Edit", filepath.Join(checkout.Top, "a.go"))
	send(t, checkout, "new", eventEnd, nil)
	have := casesOf(t, checkout)
	if len(have) != MaxCases || have[MaxCases-1].Prompt != "Newest" || have[0].ID != "4" {
		t.Errorf("have %d cases from %s to %q, want %d from 4 to Newest", len(have), have[0].ID, have[len(have)-1].Prompt, MaxCases)
	}
}

func TestALineOfAnotherVersionIsKept(t *testing.T) {
	checkout := repository(t)
	write(t, checkout.Cases(), `{"id":"x","later":true}`+"\n")
	send(t, checkout, "s", eventPrompt, map[string]any{"prompt": "P"})
	edit(t, checkout, "s", "Edit", filepath.Join(checkout.Top, "a.go"))
	send(t, checkout, "s", eventEnd, nil)
	text, err := os.ReadFile(checkout.Cases())
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(string(text)), "\n"); len(lines) != 2 || lines[0] != `{"id":"x","later":true}` {
		t.Errorf("have %q, want the old line before the new one", text)
	}
}

// TestSessionsAreScored runs the evaluation over what was captured.
func TestSessionsAreScored(t *testing.T) {
	checkout := repository(t)
	send(t, checkout, "s", eventPrompt, map[string]any{"prompt": "Repair package a"})
	edit(t, checkout, "s", "Edit", filepath.Join(checkout.Top, "a.go"))
	send(t, checkout, "s", eventEnd, nil)
	lines, err := readLines(checkout.Cases())
	if err != nil {
		t.Fatal(err)
	}
	lacking := githistory.Case{ID: "gone", Prompt: "Rebased away", Commit: strings.Repeat("1", 40), Files: []string{"a.go"}}
	if err := replace(checkout.Cases(), upsert(lines, lacking)); err != nil {
		t.Fatal(err)
	}
	result, err := githistory.Run(context.Background(), githistory.Options{Repo: checkout.Top, Sessions: true, CacheDir: t.TempDir(), Out: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := result.Set.SkippedFor(githistory.CommitLacking); n != 1 || len(result.Set.Tasks) != 1 {
		t.Errorf("have %d lacking and %d tasks, want 1 and 1", n, len(result.Set.Tasks))
	}
	if hit := result.Outcomes[0][0].Score.HitAt10.Text(0); hit != "1" { // the path tool finds a.go by the word a
		t.Errorf("have hit %s, want 1", hit)
	}
}

func TestHandleRefusesQuietly(t *testing.T) {
	for text, refused := range map[string]bool{
		"": true, "nonsense": true, `[1]`: true, `{"session_id":"s","cwd":"/nonexistent","hook_event_name":"Stop"}`: true, "{}": false,
	} {
		if err := Handle(context.Background(), strings.NewReader(text), "true"); (err != nil) != refused {
			t.Errorf("%q: have %v, want an error: %v", text, err, refused)
		}
	}
}

// A hook whose time is over gives up, and leaves no case behind.
func TestHandleGivesUp(t *testing.T) {
	checkout := repository(t)
	over, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	text := fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":"x"}`, checkout.Top)
	if err := Handle(over, strings.NewReader(text), "true"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("have %v, want %v", err, context.DeadlineExceeded)
	}
	if left, _ := filepath.Glob(filepath.Join(checkout.GitDir, journalsDir, "*")); len(left) > 0 {
		t.Errorf("have %v, want nothing written", left)
	}
}

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"call +49 151 23456789 now":           "call [phone] now",
		"ring 030-123-4567":                   "ring [phone]",
		"card 4111 1111 1111 1111 please":     "card [number] please",
		"IBAN DE89 3704 0044 0532 0130 00":    "IBAN [account]",
		"ssn 078-05-1120":                     "ssn [number]",
		"write to a.b+c@mail.example.com":     "write to [email]",
		"password=hunter2 in config":          "password=[secret] in config",
		"line 120 of v1.2.3, 404 and 2024-05": "line 120 of v1.2.3, 404 and 2024-05",
		"  trim me \n":                        "trim me",
	} {
		if have := Redact(text); have != want {
			t.Errorf("%q: have %q, want %q", text, have, want)
		}
	}
	if have := utf8.RuneCountInString(Redact(strings.Repeat("é", 600))); have != MaxPrompt {
		t.Errorf("have %d characters, want %d", have, MaxPrompt)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("mail a@b.co and +49 151 23456789 sk-abcdef")
	f.Fuzz(func(t *testing.T, text string) {
		if n := utf8.RuneCountInString(Redact(text)); n > MaxPrompt {
			t.Errorf("have %d characters, want at most %d", n, MaxPrompt)
		}
	})
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
)

// A printed step can be copied: it begins with what the shell finds.
func TestInvocation(t *testing.T) {
	here := t.TempDir()
	program, other := filepath.Join(here, programName), filepath.Join(here, "my assay")
	for _, p := range []string{program, other} {
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, argv0, want string }{
		{here, "assay", "assay"},                  // found by its name
		{here, program, "assay"},                  // typed as a path, and found all the same
		{t.TempDir(), program, program},           // not found: as typed
		{here, other, "'" + other + "'"},          // another program than the one found
		{here, "/tmp/go-build1/b/assay", "assay"}, // go run: gone by then
	} {
		t.Setenv("PATH", c.path)
		if have := invocation(c.argv0); have != c.want {
			t.Errorf("PATH %s, %s: have %s, want %s", c.path, c.argv0, have, c.want)
		}
	}
}

func TestRepeated(t *testing.T) {
	f := pflag.NewFlagSet("eval", pflag.ContinueOnError)
	f.String("base", "HEAD~100", "")
	f.String("out", "", "")
	f.StringArray("tool", nil, "")
	f.Bool("functions", true, "")
	f.Bool("significant", false, "")
	f.Int("limit", 10, "")
	if err := f.Parse([]string{"--tool", "rg=rg -l {query} .", "--base=v1"}); err != nil {
		t.Fatal(err)
	}
	if err := f.Parse([]string{"--tool", "it's=x", "--out", "raw", "--functions=false", "--significant"}); err != nil {
		t.Fatal(err)
	}
	want := ` --base v1 --functions=false --significant --tool 'rg=rg -l {query} .' --tool 'it'\''s=x'`
	if have := repeated(f, "out"); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// Raw data cannot command the terminal, nor turn a path around in it.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{"a\x1b[31mb": "a\uFFFD[31mb", "gpj.\u202Eexe": "gpj.\uFFFDexe", "a\u200Db": "a\u200Db", "two\nlines": "two\nlines", "ä中": "ä中"} {
		if have := visibleLines(text); have != want {
			t.Errorf("%q: have %q, want %q", text, have, want)
		}
	}
}

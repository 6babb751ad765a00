package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// power runs assay power and returns what it printed.
func power(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), programName, append([]string{"power"}, args...), strings.NewReader(""), &o, &e)
	return o.String(), e.String(), code
}

// TestPowerGiven: a standardised difference of 0.5 needs 34 pairs (R 4.2.2,
// power.t.test(delta = 0.5, sd = 1, power = 0.8, type = "paired"): n = 33.4).
func TestPowerGiven(t *testing.T) {
	out, errs, code := power(t, "--sd", "1", "--difference", "0.5")
	if code != 0 || !strings.Contains(out, "tasks to find 0.5000  34") {
		t.Errorf("have %d %q %q, want 34 tasks", code, out, errs)
	}
}

func TestPowerRefuses(t *testing.T) {
	for _, args := range [][]string{
		{}, {"--discordance", "0.2"}, {"--discordance", "0.2", "--sd", "1", "--tasks", "9"}, {"--discordance", "1.2", "--tasks", "9"},
		{"--sd", "-1", "--tasks", "9"}, {"--sd", "1", "--difference", "0.1", "--power", "1"}, {"--discordance", "0.2", "--difference", "2"},
	} {
		if out, errs, code := power(t, args...); code != exitUsage.number || out != "" || errs == "" {
			t.Errorf("power %v: have %d %q %q, want a wrong command line", args, code, out, errs)
		}
	}
}

// TestPowerFile: of four tasks two are discordant, and too few to show anything.
func TestPowerFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.csv")
	rows := "task_id,variant,ok\na,new,1\na,old,0\nb,new,1\nb,old,0\nc,new,1\nc,old,1\nd,new,0\nd,old,0\n"
	if err := os.WriteFile(file, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, code := power(t, file, "--metric", "ok", "--by", "variant", "--baseline", "old", "--json")
	for _, want := range []string{`"observed_difference": 0.5`, `"discordance": 0.5`, `"observed_tasks": 4`, `"why": "too few"`} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("have %d %q %q, want %s", code, out, errs, want)
		}
	}
}

//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, script string
		status       Status
		exit         int
		stdout       string
		reason       string
	}{
		{"prints", "printf hello", OK, 0, "hello", ""},
		{"has no input", "cat", OK, 0, "", ""},
		{"fails", "printf part; echo broken >&2; exit 3", Failed, 3, "part", "exit status 3: broken"},
		{"hangs", "sleep 60", TimedOut, -1, "", "no end after 300ms"},
		{"ignores signals", "trap '' TERM INT; sleep 60", TimedOut, -1, "", "no end after 300ms"},
		{"floods", "while :; do printf 0123456789; done", Failed, -1, "0123456789012345", "printed more than 16 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Run(context.Background(), Options{Args: sh(c.script), Timeout: 300 * time.Millisecond, MaxBytes: 16})
			if got.Status != c.status || got.ExitCode != c.exit || string(got.Stdout) != c.stdout || got.Reason != c.reason {
				t.Errorf("have %s, exit %d, %q, %q; want %s, exit %d, %q, %q",
					got.Status, got.ExitCode, got.Stdout, got.Reason, c.status, c.exit, c.stdout, c.reason)
			}
		})
	}
}

func TestRunEndsTheWholeGroup(t *testing.T) {
	for name, script := range map[string]string{
		"at a timeout":  "sleep 60 & echo $! > $PIDFILE; wait",
		"at a good end": "sleep 60 & echo $! > $PIDFILE",
	} {
		t.Run(name, func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			start := time.Now()
			Run(context.Background(), Options{
				Args: sh(script), Env: append(os.Environ(), "PIDFILE="+pidFile), Timeout: 500 * time.Millisecond,
			})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("have %v, want an end soon after the timeout", took)
			}
			text, err := os.ReadFile(pidFile)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				if gone(pid) {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Errorf("process %d is still running", pid)
		})
	}
}

// gone is true where the process has ended, also where nobody has collected it yet.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		time.Sleep(100 * time.Millisecond)
		cancel(errors.New("interrupted"))
	}()
	got := Run(ctx, Options{Args: sh("sleep 60")})
	if got.Status != Failed || got.Reason != "interrupted" {
		t.Errorf("have %s %q, want %s %q", got.Status, got.Reason, Failed, "interrupted")
	}
}

func TestResolve(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(path, []byte("abc"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := Resolve([]string{path, "x"})
	// SHA-256 of "abc": FIPS 180-2, appendix B.1.
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if err != nil || got.SHA256 != want {
		t.Errorf("have %v, %v, want %s", got, err, want)
	}
	for _, args := range [][]string{nil, {filepath.Join(t.TempDir(), "absent")}, {"no-such-program-here"}} {
		if _, err := Resolve(args); err == nil {
			t.Errorf("Resolve(%q): have no error, want one", args)
		}
	}
}

//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// noLimit only bounds a hang of the test itself.
const noLimit = 5 * time.Minute

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func TestRun(t *testing.T) {
	const short = 300 * time.Millisecond // only for what never ends by itself
	for _, c := range []struct {
		name, script string
		timeout      time.Duration
		status       Status
		exit         int
		stdout       string
		reason       string
	}{
		{"prints", "printf hello", noLimit, OK, 0, "hello", ""},
		{"has no input", "cat", noLimit, OK, 0, "", ""},
		{"fails", "printf part; echo broken >&2; exit 3", noLimit, Failed, 3, "part", "exit status 3: broken"},
		{"hangs", "sleep 3600", short, TimedOut, -1, "", "no end after 300ms"},
		{"ignores signals", "trap '' TERM INT; sleep 3600", short, TimedOut, -1, "", "no end after 300ms"},
		{"floods", "while :; do printf 0123456789; done", noLimit, Failed, -1, "0123456789012345", "printed more than 16 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Run(context.Background(), Options{Args: sh(c.script), Timeout: c.timeout, MaxBytes: 16})
			if got.Status != c.status || got.ExitCode != c.exit || string(got.Stdout) != c.stdout || got.Reason != c.reason {
				t.Errorf("have %s, exit %d, %q, %q; want %s, exit %d, %q, %q",
					got.Status, got.ExitCode, got.Stdout, got.Reason, c.status, c.exit, c.stdout, c.reason)
			}
		})
	}
}

// The limit counts from the moment that the program runs: a limit that is over before any program can
// start still finds it running.
func TestTheLimitCountsFromTheStart(t *testing.T) {
	got := Run(context.Background(), Options{Args: sh("sleep 3600"), Timeout: time.Nanosecond})
	if got.Status != TimedOut || !got.Started {
		t.Errorf("have %s, started %v; want %s of a program that was started", got.Status, got.Started, TimedOut)
	}
}

func TestRunEndsTheWholeGroup(t *testing.T) {
	for _, c := range []struct {
		name, script string
		limit        time.Duration
	}{
		{"at a timeout", `sleep 3600 & echo $! > "$PIDFILE"; wait`, 500 * time.Millisecond},
		{"at a good end", `sleep 3600 & echo $! > "$PIDFILE"`, noLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			pid := 0
			for limit := c.limit; pid == 0; limit *= 2 { // one that ends before the shell has written its file shows nothing
				pidFile := filepath.Join(t.TempDir(), "pid")
				Run(context.Background(), Options{Args: sh(c.script), Env: append(os.Environ(), "PIDFILE="+pidFile), Timeout: limit})
				if text, err := os.ReadFile(pidFile); err == nil {
					pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				}
			}
			for end := time.Now().Add(noLimit); !gone(pid); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("process %d is still running", pid)
				}
			}
		})
	}
}

// What the program printed is whole though something in its group still held the output, and something outside of
// the group holds the call up for a while only.
func TestOutputIsReadToItsEnd(t *testing.T) {
	const size = 50_000 // less than a pipe holds, so that the program ends before anybody reads
	script := "head -c 50000 /dev/zero; sleep 3600 &"
	if _, err := exec.LookPath("setsid"); err == nil && !testing.Short() {
		script += " setsid sleep 30 2>&1 &"
	}
	got := Run(context.Background(), Options{Args: sh(script), Timeout: noLimit})
	if got.Status != OK || len(got.Stdout) != size {
		t.Errorf("have %s (%s) with %d bytes, want %s with %d", got.Status, got.Reason, len(got.Stdout), OK, size)
	}
	if got.Elapsed > noLimit {
		t.Errorf("have %v, want an end", got.Elapsed)
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
	time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("interrupted")) })
	got := Run(ctx, Options{Args: sh("sleep 3600"), Timeout: noLimit})
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

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Defaults of Options.
const (
	// DefaultTimeout is how long one call may take.
	DefaultTimeout = 60 * time.Second
	// DefaultMaxBytes is how much one call may print: far more than any answer worth scoring.
	DefaultMaxBytes = 16 << 20
	// stderrBytes is how much of the end of standard error is kept for messages.
	stderrBytes = 8 << 10
	// waitDelay is how long output may stay open after the whole group has ended: only what left the group
	// holds it then.
	waitDelay = 5 * time.Second
)

// The reasons for which Run itself ends a call.
var (
	errLate = errors.New("no end in time")
	errFull = errors.New("too much output")
)

// Status is how one call ended.
type Status string

// The three ways a call ends.
const (
	// OK: exit status 0 within the time and output limits.
	OK Status = "ok"
	// Failed: another exit status, a signal, too much output, or it did not start.
	Failed Status = "error"
	// TimedOut: it was still running at the timeout and was killed.
	TimedOut Status = "timeout"
)

// Options says what to run and how far it may go.
type Options struct {
	// Args is the program and its arguments, as Template.Fill returns them.
	Args []string
	// Dir is the working directory; empty is the current one.
	Dir string
	// Env is the complete environment; nil is that of this process.
	Env []string
	// Timeout ends the call; zero is DefaultTimeout. It counts from the moment that the program runs: how long a
	// busy machine takes to start it is no fault of the tool.
	Timeout time.Duration
	// MaxBytes bounds standard output; zero is DefaultMaxBytes.
	MaxBytes int
	// Stdout, where it is set, takes standard output instead of Result.Stdout, and MaxBytes does not apply.
	Stdout io.Writer
}

// Result is what one call printed and how it ended.
type Result struct {
	// Status is how it ended.
	Status Status
	// Stdout is what it printed, up to the limit.
	Stdout []byte
	// Stderr is the end of what it printed there.
	Stderr string
	// ExitCode is the program's; -1 where it was killed or never started.
	ExitCode int
	// Started is false where the system refused to run it at all.
	Started bool
	// Elapsed is the wall time of the call.
	Elapsed time.Duration
	// Reason says in one line why Status is not OK, and is empty where it is.
	Reason string
}

// Run starts the program with no standard input in a process group of its own, and returns when the
// whole group has ended: at a timeout, at cancellation, and also after a normal end, so that nothing
// a tool leaves behind slows down the next call. A cancelled ctx gives Failed with the cause as reason;
// the caller, who cancelled, looks at ctx.
func Run(ctx context.Context, opts Options) Result {
	timeout, maxBytes := opts.Timeout, opts.MaxBytes
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	if maxBytes <= 0 {
		maxBytes = DefaultMaxBytes
	}
	callCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(callCtx, opts.Args[0], opts.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = opts.Dir, opts.Env, waitDelay
	Group(cmd)
	stdout, stderr := &head{max: maxBytes, full: func() { cancel(errFull) }}, &Tail{Max: stderrBytes}
	var out io.Writer = stdout
	if opts.Stdout != nil {
		out = opts.Stdout
	}
	start := time.Now()
	err := runGroup(cmd, out, stderr, func() (stop func() bool) {
		return time.AfterFunc(timeout, func() { cancel(errLate) }).Stop
	})
	result := Result{
		Status: OK, Stdout: stdout.buffer.Bytes(), Stderr: stderr.String(),
		ExitCode: -1, Elapsed: time.Since(start), Started: cmd.Process != nil,
	}
	if cmd.ProcessState != nil {
		result.ExitCode = cmd.ProcessState.ExitCode()
	}
	switch {
	case stdout.over:
		result.Status, result.Reason = Failed, fmt.Sprintf("printed more than %d bytes", maxBytes)
	case ctx.Err() != nil:
		result.Status, result.Reason = Failed, context.Cause(ctx).Error()
	case context.Cause(callCtx) == errLate && err != nil:
		result.Status, result.Reason = TimedOut, fmt.Sprintf("no end after %v", timeout)
	case err != nil:
		result.Status, result.Reason = Failed, reason(err, result.Stderr)
	}
	return result
}

// reason joins how the program ended with the last line it wrote to standard error.
func reason(err error, stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return err.Error() + ": " + last
	}
	return err.Error()
}

// head keeps the first max bytes and calls full at the first byte beyond them.
type head struct {
	buffer bytes.Buffer
	max    int
	full   func()
	over   bool
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.max - h.buffer.Len(); len(p) > room {
		h.buffer.Write(p[:room])
		h.over = true
		h.full()
		return len(p), nil
	}
	return h.buffer.Write(p)
}

// Tail is a writer that keeps the last Max bytes written to it. It is safe for concurrent use.
type Tail struct {
	// Max is how many bytes are kept.
	Max int

	mu    sync.Mutex
	bytes []byte
}

// Write keeps the end of what was written.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, p...)
	if over := len(t.bytes) - t.Max; over > 0 {
		t.bytes = append(t.bytes[:0], t.bytes[over:]...)
	}
	return len(p), nil
}

// String returns what was kept, with bytes that are not UTF-8 replaced.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.bytes), "\uFFFD")
}

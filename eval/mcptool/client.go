package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-bench/assay/eval/command"
)

const (
	// stderrBytes is how much of the end of the server's standard error is kept for messages.
	stderrBytes = 8 << 10
	// terminateAfter is how long a server may take to end by itself once its input is closed.
	terminateAfter = 2 * time.Second
	// StartLimit is how long a server may take to be ready, also again after it was ended: it may read a tree
	// first. It is no part of the limit of a call: a slow start is no slow answer.
	StartLimit = 5 * time.Minute
)

// ToolError is the answer of a tool that ran and said itself that it failed (isError).
type ToolError struct {
	// Tool is the tool that was called.
	Tool string
	// Text is what it said.
	Text string
}

// Error names the tool and repeats what it said.
func (e *ToolError) Error() string { return fmt.Sprintf("tool %s: %s", e.Tool, e.Text) }

// Client is a running server. Its methods may be called from several goroutines: the server is asked one
// question at a time, so that a call which hangs or kills it costs no other call its answer, and the time of a
// call is the server's own whatever the number of callers.
type Client struct {
	args    []string
	place   Place
	version string
	turn    chan struct{} // held by the call that the server works on

	mu      sync.Mutex
	session *session
}

// session is one life of the server's process.
type session struct {
	client *mcp.ClientSession
	cmd    *exec.Cmd
	stderr *command.Tail
}

// Place is where a server runs.
type Place struct {
	// Dir is its working directory; empty is the current one.
	Dir string
	// Env is its complete environment; nil is that of this process.
	Env []string
}

// Start runs the server command and completes the handshake within ctx. The server then lives until Close,
// whatever becomes of ctx. An error means that this command is no usable server.
func Start(ctx context.Context, args []string) (*Client, error) { return StartIn(ctx, Place{}, args) }

// StartIn is Start in another place, which later restarts of the server keep.
func StartIn(ctx context.Context, place Place, args []string) (*Client, error) {
	if len(args) == 0 {
		return nil, errors.New("mcp server: have no command, want a program and its arguments")
	}
	first, err := open(ctx, place, args)
	if err != nil {
		return nil, err
	}
	return &Client{args: args, place: place, version: serverVersion(first.client), turn: make(chan struct{}, 1), session: first}, nil
}

// open starts one process and completes the handshake.
func open(ctx context.Context, place Place, args []string) (*session, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = place.Dir, place.Env
	command.Group(cmd)
	cmd.Cancel = nil // only for commands with a context; close ends this one
	stderr := &command.Tail{Max: stderrBytes}
	cmd.Stderr = stderr
	cmd.WaitDelay = terminateAfter
	client := mcp.NewClient(&mcp.Implementation{Name: "assay", Version: "1"}, nil)
	opened, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: terminateAfter}, nil)
	if err != nil {
		command.KillGroup(cmd)
		return nil, fmt.Errorf("mcp server %s: %w%s", args[0], err, lastLine(stderr))
	}
	return &session{client: opened, cmd: cmd, stderr: stderr}, nil
}

// serverVersion is "name version" as the server reports itself; empty where it does not.
func serverVersion(s *mcp.ClientSession) string {
	result := s.InitializeResult()
	if result == nil || result.ServerInfo == nil {
		return ""
	}
	return strings.TrimSpace(result.ServerInfo.Name + " " + result.ServerInfo.Version)
}

// ServerVersion is the name and version that the server reported at its first start.
func (c *Client) ServerVersion() string { return c.version }

// Tools lists the names of the server's tools in its own order.
func (c *Client) Tools(ctx context.Context) ([]string, error) {
	s, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for tool, err := range s.client.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("mcp server %s: list of tools: %w", c.args[0], err)
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

// Reply is what a call gave.
type Reply struct {
	// Text is the answer: its text parts joined by a line feed or, where it has none, its structured content as
	// JSON. It is empty where the call failed.
	Text string
	// Elapsed is from the moment the server got the question to its answer or end, without waiting for a turn.
	Elapsed time.Duration
}

// Call runs one tool with arguments that are one JSON object, once the calls before it have ended. A tool that
// says it failed is a *ToolError; a call that takes longer than limit ends the server, which the next call
// starts anew, and returns an error that is context.DeadlineExceeded.
func (c *Client) Call(ctx context.Context, limit time.Duration, tool string, args json.RawMessage) (Reply, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return Reply{}, fmt.Errorf("tool %s: %w", tool, ctx.Err())
	}
	s, err := c.current(ctx)
	if err != nil {
		return Reply{}, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	text, err := c.ask(limited, s, tool, args)
	return Reply{Text: text, Elapsed: time.Since(start)}, err
}

// ask puts one question to a session, and drops the session where it hangs or has died.
func (c *Client) ask(ctx context.Context, s *session, tool string, args json.RawMessage) (string, error) {
	result, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		if ctx.Err() != nil {
			c.drop(s)
			return "", fmt.Errorf("tool %s: %w", tool, ctx.Err())
		}
		if s.client.Ping(ctx, nil) != nil {
			c.drop(s)
		}
		return "", fmt.Errorf("tool %s: %w%s", tool, err, lastLine(s.stderr))
	}
	text, err := answer(result)
	if err != nil {
		return "", fmt.Errorf("tool %s: %w", tool, err)
	}
	if result.IsError {
		return "", &ToolError{Tool: tool, Text: text}
	}
	return text, nil
}

// answer is the text of a result.
func answer(result *mcp.CallToolResult) (string, error) {
	var parts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	if len(parts) > 0 || result.StructuredContent == nil {
		return strings.Join(parts, "\n"), nil
	}
	structured, err := json.Marshal(result.StructuredContent)
	return string(structured), err
}

// current is the running session, started anew where the last one was dropped.
func (c *Client) current(ctx context.Context) (*session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session == nil {
		ctx, cancel := context.WithTimeout(ctx, StartLimit)
		defer cancel()
		next, err := open(ctx, c.place, c.args)
		if err != nil {
			return nil, err
		}
		c.session = next
	}
	return c.session, nil
}

// drop ends a session that hangs or has died, once, so that the next call starts a new one.
func (c *Client) drop(s *session) {
	c.mu.Lock()
	mine := c.session == s
	if mine {
		c.session = nil
	}
	c.mu.Unlock()
	if mine {
		command.KillGroup(s.cmd)
		s.client.Close()
	}
}

// Close ends the server and everything it started.
func (c *Client) Close() error {
	c.mu.Lock()
	s := c.session
	c.session = nil
	c.mu.Unlock()
	if s == nil {
		return nil
	}
	s.client.Close() // how a server ends says nothing about its answers
	command.KillGroup(s.cmd)
	return nil
}

// lastLine is the last line of standard error, as the end of a message.
func lastLine(stderr *command.Tail) string {
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return ": " + last
	}
	return ""
}

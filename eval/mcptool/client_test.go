package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverMode makes this test binary the server under test: a real process, spoken to over real pipes.
const serverMode = "ASSAY_TEST_MCP_SERVER"

const (
	// hang is longer than any limit below, so that only its limit ends a call that hangs.
	hang = time.Hour
	// noLimit only bounds a hang of the test itself.
	noLimit = 5 * time.Minute
	// short is only for what hangs: nothing else may meet it on a machine however slow.
	short = 200 * time.Millisecond
)

func TestMain(m *testing.M) {
	switch os.Getenv(serverMode) {
	case "":
		os.Exit(m.Run())
	case "mute":
		time.Sleep(hang)
	case "broken":
		fmt.Fprintln(os.Stderr, "no index here")
		os.Exit(1)
	default:
		serve()
	}
}

type echoIn struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

type echoOut struct {
	Said string `json:"said"`
}

func serve() {
	server := mcp.NewServer(&mcp.Implementation{Name: "echo-server", Version: "1.2.3"}, nil)
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in echoIn) (*mcp.CallToolResult, any, error) {
		result := text(in.Query)
		result.Content = append(result.Content, &mcp.TextContent{Text: fmt.Sprint(in.Limit)})
		return result, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "structured"}, func(_ context.Context, _ *mcp.CallToolRequest, in echoIn) (*mcp.CallToolResult, echoOut, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, echoOut{Said: in.Query}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "refuse"}, func(context.Context, *mcp.CallToolRequest, echoIn) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no such index")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "hang"}, func(context.Context, *mcp.CallToolRequest, echoIn) (*mcp.CallToolResult, any, error) {
		time.Sleep(hang)
		return text("late"), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "die"}, func(context.Context, *mcp.CallToolRequest, echoIn) (*mcp.CallToolResult, any, error) {
		os.Exit(7)
		return nil, nil, nil
	})
	server.Run(context.Background(), &mcp.StdioTransport{})
}

func start(t *testing.T) *Client {
	t.Helper()
	t.Setenv(serverMode, "serve")
	client, err := Start(context.Background(), []string{os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func TestCall(t *testing.T) {
	client := start(t)
	if have, want := client.ServerVersion(), "echo-server 1.2.3"; have != want {
		t.Errorf("version: have %q, want %q", have, want)
	}
	names, err := client.Tools(context.Background())
	if have, want := strings.Join(names, " "), "die echo hang refuse structured"; err != nil || have != want {
		t.Errorf("tools: have %q, %v, want %q", have, err, want)
	}
	for _, c := range []struct{ tool, want, err string }{
		{"echo", "what is a datom\n5", ""},
		{"structured", `{"said":"what is a datom"}`, ""},
		{"refuse", "", "tool refuse: no such index"},
		{"absent", "", "absent"},
	} {
		have, err := client.Call(context.Background(), noLimit, c.tool, json.RawMessage(`{"query":"what is a datom","limit":5}`))
		if have.Text != c.want || (err == nil) != (c.err == "") || (err != nil && !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: have %q, %v, want %q, %q", c.tool, have, err, c.want, c.err)
		}
	}
	var refused *ToolError
	if _, err := client.Call(context.Background(), noLimit, "refuse", json.RawMessage(`{"query":""}`)); !errors.As(err, &refused) {
		t.Errorf("refuse: have %v, want a ToolError", err)
	}
}

func TestCallAfterHangAndDeath(t *testing.T) {
	client := start(t)
	if _, err := client.Call(context.Background(), short, "hang", json.RawMessage(`{"query":""}`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hang: have %v, want a deadline", err)
	}
	ask := func() {
		t.Helper()
		if have, err := client.Call(context.Background(), noLimit, "echo", json.RawMessage(`{"query":"again"}`)); err != nil || have.Text != "again\n0" {
			t.Errorf("have %q, %v, want an answer of a new server", have, err)
		}
	}
	ask()
	if _, err := client.Call(context.Background(), noLimit, "die", json.RawMessage(`{"query":""}`)); err == nil {
		t.Error("die: have no error, want one")
	}
	ask()
}

// Calls that come while another hangs or dies wait for their turn and get their own answer.
func TestCallsAtOnce(t *testing.T) {
	client := start(t)
	var group sync.WaitGroup
	for i := range 12 {
		tool := []string{"hang", "echo", "die", "echo"}[i%4]
		group.Go(func() {
			limit := noLimit
			if tool == "hang" {
				limit = short
			}
			have, err := client.Call(context.Background(), limit, tool, json.RawMessage(`{"query":"mine"}`))
			switch late := errors.Is(err, context.DeadlineExceeded); {
			case tool == "echo" && (err != nil || have.Text != "mine\n0"):
				t.Errorf("echo: have %q, %v, want its answer", have.Text, err)
			case tool == "hang" && !late:
				t.Errorf("hang: have %v, want a deadline", err)
			case tool == "die" && (err == nil || late):
				t.Errorf("die: have %v, want the end of the server", err)
			}
		})
	}
	group.Wait()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	client.turn <- struct{}{}
	if _, err := client.Call(cancelled, noLimit, "echo", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want the end of waiting", err)
	}
	<-client.turn
}

func TestStartRefuses(t *testing.T) {
	for _, c := range []struct {
		mode, want string
		limit      time.Duration
	}{{"mute", "deadline", short}, {"broken", "no index here", noLimit}} {
		t.Run(c.mode, func(t *testing.T) {
			t.Setenv(serverMode, c.mode)
			ctx, cancel := context.WithTimeout(context.Background(), c.limit)
			defer cancel()
			client, err := Start(ctx, []string{os.Args[0]})
			if err == nil {
				client.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("have %v, want an error with %q", err, c.want)
			}
		})
	}
	for _, args := range [][]string{nil, {"no-such-program-here"}} {
		if _, err := Start(context.Background(), args); err == nil {
			t.Errorf("Start(%q): have no error, want one", args)
		}
	}
}

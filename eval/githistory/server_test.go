//go:build unix

package githistory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverMode makes this test binary a server over real pipes.
const serverMode = "ASSAY_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverMode) != "" {
		serve()
		return
	}
	ownGit()
	os.Exit(m.Run())
}

// ownGit lets no variable and no configuration of whoever runs the tests reach git: a hook of git, for one, runs
// its program with GIT_DIR set.
func ownGit() {
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
}

type searchIn struct {
	Query string `json:"query"`
	Limit int    `json:"limit"`
}

type searchOut struct {
	Results []searchHit `json:"results"`
}

type searchHit struct {
	Path string `json:"path"`
}

// serve finds files whose path holds a word of the query, in the folder that it runs in.
func serve() {
	server := mcp.NewServer(&mcp.Implementation{Name: "finder", Version: "3.1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "find"}, func(_ context.Context, _ *mcp.CallToolRequest, in searchIn) (*mcp.CallToolResult, searchOut, error) {
		out := searchOut{Results: []searchHit{}}
		root, err := os.Getwd()
		if err != nil {
			return nil, out, err
		}
		filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
			for word := range strings.FieldsSeq(strings.ToLower(in.Query)) {
				if err == nil && len(word) > 3 && entry.Type().IsRegular() && strings.Contains(strings.ToLower(name), word) && len(out.Results) < in.Limit {
					out.Results = append(out.Results, searchHit{name})
					break
				}
			}
			return nil
		})
		return nil, out, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "refuse"}, func(context.Context, *mcp.CallToolRequest, searchIn) (*mcp.CallToolResult, any, error) {
		return nil, nil, fmt.Errorf("no index")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "hang"}, func(context.Context, *mcp.CallToolRequest, searchIn) (*mcp.CallToolResult, any, error) {
		time.Sleep(time.Hour)
		return nil, nil, nil
	})
	server.Run(context.Background(), &mcp.StdioTransport{})
}

func TestServers(t *testing.T) {
	t.Setenv(serverMode, "1")
	arguments := `{"query":"{query}","limit":{limit}}`
	tool := func(name, call string) ToolSpec {
		return ToolSpec{Name: name, Command: "'" + os.Args[0] + "'", Call: call, Arguments: arguments}
	}
	dir := smallRepo(t)
	result := evaluate(t, Options{
		Repo: dir, Timeout: noLimit, Jobs: 2, Builtins: []string{},
		Tools: []ToolSpec{tool("finder", "find"), tool("refuser", "refuse")},
	})
	if have := answersOf(result, "finder")["Report a full disk when a block is written"]; !slices.Contains(have, "store/disk.go") {
		t.Errorf("have %v, want store/disk.go", have)
	}
	report := NewReport(result, true)
	for a, want := range []Status{StatusOK, StatusError} {
		if have := report.Results[0].Arms[a]; have.Status != want {
			t.Errorf("%s: have %s (%s), want %s", have.Name, have.Status, have.Reason, want)
		}
	}
	hanger := evaluate(t, Options{Repo: dir, Timeout: short, Jobs: 2, Builtins: []string{}, Tools: []ToolSpec{tool("hanger", "hang")}})
	for i, have := range NewReport(hanger, true).Results {
		if have.Arms[0].Status != StatusTimeout {
			t.Errorf("hanger, task %d: have %s (%s), want %s", i, have.Arms[0].Status, have.Arms[0].Reason, StatusTimeout)
		}
	}
	if result.Tools[0].Version != "finder 3.1" || result.Tools[0].SHA256 == "" {
		t.Errorf("have version %q and hash %q, want what the server says and its hash", result.Tools[0].Version, result.Tools[0].SHA256)
	}
	_, err := Run(context.Background(), Options{
		Repo: dir, Base: "base", Head: "head", CacheDir: t.TempDir(), Tools: []ToolSpec{tool("absent", "no_such_tool")},
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "no_such_tool") || !strings.Contains(err.Error(), "find") {
		t.Errorf("have %v, want the tools that there are", err)
	}
}

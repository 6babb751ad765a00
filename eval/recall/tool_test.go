package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolMode makes this test binary the tool under test: a real process, asked in the way that users' tools are.
const toolMode = "ASSAY_TEST_RECALL_TOOL"

const (
	// hang is longer than any limit of a test, so that only its limit ends a question that hangs.
	hang = time.Hour
	// noLimit only bounds a hang of the test itself.
	noLimit = 5 * time.Minute
	// short is only for what hangs: nothing else may meet it on a machine however slow.
	short = 300 * time.Millisecond
)

func TestMain(m *testing.M) {
	switch os.Getenv(toolMode) {
	case "":
		os.Exit(m.Run())
	case "mcp":
		serve()
	default:
		recallTool(os.Args[1:])
	}
}

// recallTool answers by what the question says.
func recallTool(args []string) {
	question := args[len(args)-1]
	switch {
	case strings.Contains(question, "hang"):
		time.Sleep(hang)
	case strings.Contains(question, "crash"):
		fmt.Fprintln(os.Stderr, "index is locked")
		os.Exit(2)
	case strings.Contains(question, "nonsense"):
		fmt.Println("Segmentation fault")
	case strings.Contains(question, "nothing"):
		fmt.Println(`{"results":[]}`)
	case strings.Contains(question, "slow"):
		time.Sleep(100 * time.Millisecond)
		fallthrough
	default:
		fmt.Println(resultsOfTool(question, args))
	}
}

// resultsOfTool returns the question itself and a fixed text, so that a test sees exactly what the tool got.
func resultsOfTool(question string, args []string) string {
	out, err := json.Marshal(map[string]any{"results": []map[string]any{
		{"id": "e1", "body": "Asked: " + question},
		{"id": "e2", "body": fmt.Sprintf("A Datom holds entity, attribute, value; %d arguments.", len(args))},
	}})
	if err != nil {
		panic(err)
	}
	return string(out)
}

type searchIn struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

func serve() {
	server := mcp.NewServer(&mcp.Implementation{Name: "recall-server", Version: "0.9"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "search"}, func(_ context.Context, _ *mcp.CallToolRequest, in searchIn) (*mcp.CallToolResult, any, error) {
		if strings.Contains(in.Query, "crash") {
			return nil, nil, fmt.Errorf("index is locked")
		}
		if strings.Contains(in.Query, "hang") {
			time.Sleep(hang)
		}
		text := resultsOfTool(in.Query, nil)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
	server.Run(context.Background(), &mcp.StdioTransport{})
}

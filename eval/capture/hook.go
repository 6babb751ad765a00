package capture

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/eval/githistory"
)

// Variable switches the hooks on; any value but "true" leaves them off.
const Variable = "ASSAY_EVAL_CAPTURE"

// HookTime is how long a hook may take before it gives up; the caller of Handle sets it.
const HookTime = 2 * time.Second

// maxEvent bounds what a hook reads: an event can hold the whole text of a file.
const maxEvent = 16 << 20

// event is what a hook is told on standard input; other members are of no interest.
type event struct {
	SessionID string `json:"session_id"`
	Cwd       string `json:"cwd"`
	Name      string `json:"hook_event_name"`
	Prompt    string `json:"prompt"`
	ToolName  string `json:"tool_name"`
	ToolInput struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
	} `json:"tool_input"`
}

// The events that are listened to.
const (
	eventPrompt = "UserPromptSubmit"
	eventTool   = "PostToolUse"
	eventStop   = "Stop"
	eventEnd    = "SessionEnd"
)

// editTools are the tools that change files.
var editTools = []string{"Edit", "MultiEdit", "Write", "NotebookEdit"}

// Handle takes one event from standard input. Its error is for a log or a test only: whatever happens, the command
// that calls it prints nothing and exits 0, because a hook must not disturb the session that it belongs to. It gives
// up once ctx is done.
func Handle(ctx context.Context, in io.Reader, active string) error {
	if active != "true" {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(in, maxEvent))
	if err != nil {
		return err
	}
	var e event
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	line, wanted := e.entry()
	if !wanted || e.SessionID == "" || e.Cwd == "" {
		return nil
	}
	checkout, err := githistory.FindCheckout(ctx, e.Cwd)
	if err != nil {
		return err // no checkout, nothing to keep
	}
	line.Commit = checkout.Head
	if err := line.append(checkout.GitDir, e.SessionID); err != nil {
		return err
	}
	if e.Name == eventStop || e.Name == eventEnd {
		return Collect(ctx, checkout)
	}
	return nil
}

// entry is what of an event goes into the journal; false where nothing does.
func (e event) entry() (entry, bool) {
	switch e.Name {
	case eventPrompt:
		return entry{Prompt: Redact(e.Prompt)}, true
	case eventTool:
		file := e.ToolInput.FilePath
		if file == "" {
			file = e.ToolInput.NotebookPath
		}
		if file == "" || !slices.Contains(editTools, e.ToolName) {
			return entry{}, false
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(e.Cwd, file)
		}
		return entry{File: filepath.Clean(file)}, true
	case eventStop:
		return entry{}, true
	case eventEnd:
		return entry{End: true}, true
	}
	return entry{}, false
}

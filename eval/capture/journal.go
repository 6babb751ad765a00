package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/eval/githistory"
)

// journalsDir holds one journal a session, in the git directory.
const journalsDir = "assay-eval-sessions"

// staleAfter is when the journal of a session that never said its end is removed; its case is kept.
const staleAfter = 7 * 24 * time.Hour

// entry is one line of a journal. It is far below the size up to which an append is one write that no other
// process can split.
type entry struct {
	// Commit is what was checked out when the entry was written.
	Commit string `json:"commit,omitzero"`
	// Prompt is redacted.
	Prompt string `json:"prompt,omitzero"`
	// File is the absolute path of a file that the session changed.
	File string `json:"file,omitzero"`
	// End is true in the last entry.
	End bool `json:"end,omitzero"`
}

// sessionID is what is kept of a session's name: enough to tell sessions apart.
func sessionID(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:8])
}

// append adds one line to a session's journal.
func (e entry) append(gitDir, session string) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	dir := filepath.Join(gitDir, journalsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, sessionID(session)+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	return err
}

// fold makes the case of a journal; false where the session asked nothing or changed no file. A line that cannot
// be read is left out: it was cut by a crash.
func fold(ctx context.Context, checkout githistory.Checkout, id string, journal []byte) (c githistory.Case, ended, ok bool) {
	c.ID = id
	changed := map[string]bool{}
	asked := false
	for line := range bytes.Lines(journal) {
		var e entry
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if c.Commit == "" {
			c.Commit = e.Commit
		}
		if e.Prompt != "" && !asked {
			c.Prompt, asked = e.Prompt, true
		}
		if path, inside := relative(checkout.Top, e.File); inside {
			changed[path] = true
		}
		ended = ended || e.End
	}
	if !asked || len(changed) == 0 || c.Commit == "" {
		return c, ended, false
	}
	paths := make([]string, 0, len(changed))
	for path := range changed {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	existing, err := checkout.Existing(ctx, c.Commit, paths)
	if err != nil {
		return c, false, false
	}
	for _, path := range paths {
		if existing[path] {
			c.Files = append(c.Files, path)
		} else {
			c.Created++
		}
	}
	return c, ended, true
}

// relative is a path of the checkout, or false for a file outside of it and for the git directory itself.
func relative(top, file string) (string, bool) {
	if file == "" {
		return "", false
	}
	path, err := filepath.Rel(top, file)
	if err != nil {
		return "", false
	}
	path = filepath.ToSlash(path)
	if path == "." || path == ".." || strings.HasPrefix(path, "../") || path == ".git" || strings.HasPrefix(path, ".git/") {
		return "", false
	}
	return path, true
}

package githistory

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
)

// CasesFile is where the captured cases of a checkout stand, in its git directory: never committed, never sent.
const CasesFile = "assay-eval-cases.jsonl"

// Case is one captured session that changed files: a question as it was asked, and what became of it.
type Case struct {
	// ID is the same for the same session and says nothing of it.
	ID string `json:"id"`
	// Prompt is the session's first prompt, redacted, at most 500 characters.
	Prompt string `json:"prompt"`
	// Commit is the commit that the session began at.
	Commit string `json:"commit"`
	// Files are the files that it changed and that existed at that commit, sorted.
	Files []string `json:"files"`
	// Created counts the other files that it changed.
	Created int `json:"created"`
}

var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// ParseCases reads a file of cases; name stands for it in messages. Blank lines are skipped.
func ParseCases(name string, text []byte) ([]Case, error) {
	var cases []Case
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(line, &c, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if c.ID == "" || !commitID.MatchString(c.Commit) {
			return nil, fmt.Errorf("%s:%d: have id %q and commit %q, want an id and 40 or 64 hex digits", name, number, c.ID, c.Commit)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// Checkout is what a hook has to know of the checkout that a session runs in.
type Checkout struct {
	// Top is the root of the work tree; GitDir its git directory.
	Top, GitDir string
	// Head is the commit that is checked out; empty where there is none yet.
	Head string
}

// FindCheckout finds the checkout that a folder belongs to.
func FindCheckout(ctx context.Context, dir string) (Checkout, error) {
	out, err := run(ctx, dir, nil, "rev-parse", "--show-toplevel", "--absolute-git-dir")
	if err != nil {
		return Checkout{}, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 2 {
		return Checkout{}, fmt.Errorf("git rev-parse: have %q, want two folders", out)
	}
	c := Checkout{Top: lines[0], GitDir: lines[1]}
	if out, err := run(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err == nil {
		c.Head = strings.TrimSpace(string(out))
	}
	return c, nil
}

// Existing says which of some paths are a file or link in the tree of a commit of this checkout.
func (c Checkout) Existing(ctx context.Context, commit string, paths []string) (map[string]bool, error) {
	existing := map[string]bool{}
	if len(paths) == 0 {
		return existing, nil
	}
	out, err := run(ctx, c.Top, nil, append([]string{"ls-tree", "-r", "-z", "--full-tree", commit, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(out)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		existing[e.Path] = e.retrievable()
	}
	return existing, nil
}

// Cases is the path of the file of cases.
func (c Checkout) Cases() string { return filepath.Join(c.GitDir, CasesFile) }

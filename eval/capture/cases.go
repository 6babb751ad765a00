package capture

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/eval/githistory"
)

// MaxCases is how many cases are kept: the newest.
const MaxCases = 500

// Collect folds every journal of a checkout into its file of cases. It does nothing where another process is doing
// so at this moment: the journals stay, and the next event of any session folds them.
func Collect(ctx context.Context, checkout githistory.Checkout) error {
	unlock, ok, err := tryLock(filepath.Join(checkout.GitDir, githistory.CasesFile+".lock"))
	if err != nil || !ok {
		return err
	}
	defer unlock()
	journals, err := filepath.Glob(filepath.Join(checkout.GitDir, journalsDir, "*.jsonl"))
	if err != nil || len(journals) == 0 {
		return err
	}
	lines, err := readLines(checkout.Cases())
	if err != nil {
		return err
	}
	slices.Sort(journals)
	var done []string
	for _, journal := range journals {
		text, err := os.ReadFile(journal)
		if err != nil {
			return err
		}
		id := strings.TrimSuffix(filepath.Base(journal), ".jsonl")
		c, ended, ok := fold(ctx, checkout, id, text)
		if ok {
			lines = upsert(lines, c)
		}
		if info, err := os.Stat(journal); ended || err == nil && time.Since(info.ModTime()) > staleAfter {
			done = append(done, journal)
		}
	}
	if len(lines) > MaxCases {
		lines = lines[len(lines)-MaxCases:]
	}
	if err := replace(checkout.Cases(), lines); err != nil {
		return err
	}
	for _, journal := range done {
		err = errors.Join(err, os.Remove(journal))
	}
	return err
}

// readLines is the lines of the file of cases, also those that this version cannot read: they are kept.
func readLines(file string) ([][]byte, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lines [][]byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// upsert puts a case in the place of an earlier state of it, or at the end.
func upsert(lines [][]byte, c githistory.Case) [][]byte {
	line, err := json.Marshal(c)
	if err != nil {
		return lines
	}
	for i, old := range lines {
		var was githistory.Case
		if json.Unmarshal(old, &was) == nil && was.ID == c.ID {
			lines[i] = line
			return lines
		}
	}
	return append(lines, line)
}

// replace writes the file beside its place and renames it, so that a reader sees the old one or the new one.
func replace(file string, lines [][]byte) error {
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".part-*")
	if err != nil {
		return err
	}
	text := bytes.Join(lines, []byte("\n"))
	if len(lines) > 0 {
		text = append(text, '\n')
	}
	_, err = part.Write(text)
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		os.Remove(part.Name())
	}
	return err
}

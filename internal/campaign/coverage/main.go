// Command coverage simulates studies whose truth is known and measures how often the intervals of tables 2 to 6
// hold it, and how often their tests reject a true null. It prints the table of docs/validity.md, or puts it there.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
)

func main() {
	studies := flag.Int("studies", defaultStudies, "simulated studies of each kind")
	draws := flag.Int("draws", defaultDraws, "bootstrap draws, sign vectors and permutations a study")
	seed := flag.Uint64("seed", 1, "seed of the studies")
	only := flag.String("only", "", "only quantities whose name holds this text")
	page := flag.String("o", "", "put the table into this page instead of printing it")
	workers := flag.Int("workers", runtime.NumCPU(), "studies made at a time; the figures do not depend on it")
	flag.Parse()
	if err := run(*page, *only, *studies, *draws, *seed, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "coverage: "+err.Error())
		os.Exit(1)
	}
}

// The size of the published campaign.
const (
	defaultStudies = 5000
	defaultDraws   = 2000
)

func run(page, only string, studies, draws int, seed uint64, workers int) error {
	var table bytes.Buffer
	table.WriteString(head)
	for q := range questions {
		if !strings.Contains(questions[q].what, only) {
			continue
		}
		for _, f := range campaign(q, studies, draws, seed, workers) {
			fmt.Fprintln(&table, f)
		}
	}
	if page == "" {
		_, err := os.Stdout.Write(table.Bytes())
		return err
	}
	document, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	replaced, err := replaceTable(document, table.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, replaced, 0o644)
}

// replaceTable puts the table in place of the one with the same head.
func replaceTable(document, table []byte) ([]byte, error) {
	start := bytes.Index(document, []byte(head))
	if start < 0 {
		return nil, fmt.Errorf("have no table of coverage, want its head line")
	}
	end := start
	for bytes.HasPrefix(document[end:], []byte("|")) {
		line := bytes.IndexByte(document[end:], '\n')
		if line < 0 {
			end = len(document)
			break
		}
		end += line + 1
	}
	return bytes.Join([][]byte{document[:start], table, document[end:]}, nil), nil
}

// Command bench measures assay against what a user would use instead, as ratios
// of medians within one run, so that a noisy machine does not decide:
//
//	derive over DuckDB's typed read_ndjson making the same three tables
//	derive over cat of all files, and over sha256 of all files
//	derive with one worker over derive with two; its peak memory
//
// It makes its own input, seeded: by default 20,000 run directories of about
// 2.3 GB. The figures are printed as a Markdown table.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	var (
		assay  = flag.String("assay", "bin/assay", "the program to measure")
		runs   = flag.Int("runs", 20_000, "run directories to make")
		dir    = flag.String("dir", "bench", "the folder for input and output; kept between calls")
		rounds = flag.Int("rounds", 3, "rounds of each command")
		duckdb = flag.Bool("duckdb", false, "run the DuckDB side once, and nothing else")
	)
	flag.Parse()
	raw := filepath.Join(*dir, fmt.Sprintf("raw-%d", *runs))
	if *duckdb {
		exitOn(runDuckDB(raw, filepath.Join(*dir, "duckdb")))
		return
	}
	exitOn(os.MkdirAll(*dir, 0o777))
	exitOn(makeInput(raw, *runs))
	exitOn(measure(*assay, raw, *dir, *rounds))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

// measure runs the commands in turn and prints medians and ratios.
func measure(assay, raw, dir string, rounds int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	size, files, err := measureInput(raw)
	if err != nil {
		return err
	}
	fmt.Printf("input: %d files, %.3f GB; %d processors, %s/%s\n\n", files, float64(size)/1e9, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	out := filepath.Join(dir, "data")
	commands := []*contender{
		{name: "assay derive, 2 workers", args: []string{assay, "derive", raw, "-o", out, "--workers", "2", "--quiet"}, clean: out},
		{name: "assay derive, 1 worker", args: []string{assay, "derive", raw, "-o", out, "--workers", "1", "--quiet"}, clean: out},
		{name: "DuckDB typed read_ndjson to the three tables", args: []string{self, "-duckdb", "-dir", dir, "-runs", fmt.Sprint(runsOf(raw))}, clean: filepath.Join(dir, "duckdb")},
		{name: "cat of all files", args: []string{"sh", "-c", "find " + raw + " -type f -print0 | xargs -0 cat > /dev/null"}},
		{name: "sha256sum of all files", args: []string{"sh", "-c", "find " + raw + " -type f -print0 | xargs -0 sha256sum > /dev/null"}},
	}
	for round := range rounds + 1 { // the first is a warm-up
		for _, c := range commands {
			if err := c.run(round > 0); err != nil {
				return err
			}
		}
	}
	report(commands)
	return nil
}

func runsOf(raw string) int {
	var n int
	fmt.Sscanf(filepath.Base(raw), "raw-%d", &n)
	return n
}

func measureInput(raw string) (size int64, files int, err error) {
	err = filepath.Walk(raw, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			size += info.Size()
			files++
		}
		return err
	})
	return size, files, err
}

// Command bench measures assay against what a user would use instead, within one
// run, so that a noisy machine does not decide. Its sections:
//
//	derive  raw runs to Parquet, beside DuckDB, cat and sha256sum
//	eval    search in a repository of 5,000 files, beside ripgrep
//	stats   resampling, factorial and mixed model, beside statsmodels
//
// It makes its own input, seeded, and keeps it between calls. The figures are
// printed as Markdown tables.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// Steps that the program runs in a process of its own, to measure it alone.
const (
	stepDuckDB     = "duckdb"
	stepDuckDBSame = "duckdb-same"
	stepDuckDBJSON = "duckdb-same-json"
	stepCompare    = "compare"
	stepSearch     = "search"
)

func main() {
	var (
		assay  = flag.String("assay", "bin/assay", "the program to measure")
		only   = flag.String("only", "", "one section: derive, eval or stats; all without it")
		dir    = flag.String("dir", "_bench", "the folder for input and output; kept between calls")
		rounds = flag.Int("rounds", 3, "rounds of each command")
		lines  = flag.String("lines", "", "derive: short or long lines; both without it")
		runs   = flag.Int("runs", 20_000, "derive: run directories to make")
		megs   = flag.Int("megabytes", 500, "eval: source to measure memory with")
		step   = flag.String("step", "", "what a section runs in a process of its own")
	)
	flag.Parse()
	raw := rawFolder(*dir, *runs, *lines)
	switch *step {
	case stepDuckDB:
		exitOn(runDuckDB(raw, duckFolder(*dir), analystSQL))
		return
	case stepDuckDBSame:
		exitOn(runDuckDB(raw, duckFolder(*dir), sameTablesSQL(typedEvents)))
		return
	case stepDuckDBJSON:
		exitOn(runDuckDB(raw, duckFolder(*dir), sameTablesSQL(jsonEvents)))
		return
	case stepCompare:
		exitOn(checkDatasets(dataFolder(*dir), duckFolder(*dir)))
		return
	case stepSearch:
		exitOn(runSearch(*rounds))
		return
	case "":
	default:
		exitOn(fmt.Errorf("-step: have %q, want %s", *step, strings.Join([]string{
			stepDuckDB, stepDuckDBSame, stepDuckDBJSON, stepCompare, stepSearch}, ", ")))
	}
	if flag.NArg() > 0 {
		exitOn(fmt.Errorf("have the word %q, want flags alone", flag.Arg(0)))
	}
	sections := []struct {
		name string
		run  func() error
	}{
		{"derive", func() error { return benchShapes(*assay, *dir, *lines, *runs, *rounds) }},
		{"eval", func() error { return benchEval(*assay, *dir, *rounds, *megs) }},
		{"stats", func() error { return benchStats(*dir, *rounds) }},
	}
	known := *only == ""
	for _, s := range sections {
		known = known || *only == s.name
	}
	if !known {
		exitOn(fmt.Errorf("-only: have %q, want derive, eval or stats", *only))
	}
	exitOn(os.MkdirAll(*dir, 0o777))
	for _, s := range sections {
		if *only == "" || *only == s.name {
			fmt.Printf("## %s\n\n", s.name)
			exitOn(s.run())
		}
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

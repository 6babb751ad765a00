package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// benchShapes measures derive over input of short and of long lines.
func benchShapes(assay, dir, lines string, runs, rounds int) error {
	known := false
	for _, sh := range []shape{shortLines, longLines} {
		if lines != "" && lines != sh.name {
			continue
		}
		known = true
		fmt.Printf("### %s lines\n\n", sh.name)
		if err := benchDerive(assay, dir, runs, rounds, sh); err != nil {
			return err
		}
	}
	if !known {
		return fmt.Errorf("-lines: have %q, want short or long", lines)
	}
	return nil
}

// benchDerive measures, as ratios of medians: derive over DuckDB's typed
// read_ndjson making the same three tables, over cat and over sha256 of all
// files, and with one worker over two; and its peak memory. For comparison DuckDB is
// measured with the data of events read as JSON and typed kind by kind, which an
// expert would find to be faster, and making a few columns of the tables.
func benchDerive(assay, dir string, runs, rounds int, sh shape) error {
	raw := rawFolder(dir, runs, sh.name)
	if err := makeInput(raw, runs, sh); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	size, files, err := measureInput(raw)
	if err != nil {
		return err
	}
	fmt.Printf("%d files, %.3f GB; %s\n\n", files, float64(size)/1e9, processor())
	out, duck := dataFolder(dir), duckFolder(dir)
	step := func(name string) []string {
		return []string{self, "-step", name, "-dir", dir, "-runs", fmt.Sprint(runs), "-lines", sh.name}
	}
	commands := []*contender{
		{name: "assay derive, 2 workers", args: []string{assay, "derive", raw, "-o", out, "--workers", "2", "--quiet"}, clean: out},
		{name: "assay derive, 1 worker", args: []string{assay, "derive", raw, "-o", out, "--workers", "1", "--quiet"}, clean: out},
		{name: "DuckDB typed read_ndjson, the same three tables", args: step(stepDuckDBSame), clean: duck},
		{name: "cat of all files", args: []string{"sh", "-c", "find " + raw + " -type f -print0 | xargs -0 cat > /dev/null"}},
		{name: "DuckDB typed read_ndjson, a few columns of them", args: step(stepDuckDB), clean: duck},
		{name: "sha256sum of all files", args: []string{"sh", "-c", "find " + raw + " -type f -print0 | xargs -0 sha256sum > /dev/null"}},
		{name: "DuckDB, the same three tables, events read as JSON and typed kind by kind", args: step(stepDuckDBJSON), clean: duck},
	}
	// The comparison has a process of its own: the peak memory of a command is at
	// least what this process held when it started it.
	compare := &contender{name: "comparison of derive with SQL", args: []string{self, "-step", stepCompare, "-dir", dir}}
	for _, c := range []*contender{commands[0], commands[2], compare, commands[6], compare} {
		if err := c.run(false); err != nil {
			return err
		}
	}
	if err := runAll(commands, rounds); err != nil {
		return err
	}
	printContenders(commands)
	var wall [7]float64
	for i, c := range commands {
		wall[i] = median(c.wall)
	}
	two, one, same, cat, few, sha, expert := wall[0], wall[1], wall[2], wall[3], wall[4], wall[5], wall[6]
	printTargets([]target{
		{name: "derive / DuckDB typed read_ndjson, the same three tables", value: two / same, bound: 0.50},
		{name: "derive / DuckDB, the same, typed kind by kind", value: two / expert, free: true},
		{name: "derive / DuckDB, a few columns of them", value: two / few, free: true},
		{name: "derive / cat", value: two / cat, bound: 3.0},
		{name: "derive / sha256sum", value: two / sha, free: true},
		{name: "1 worker / 2 workers", value: one / two, bound: 1.5, least: true},
		{name: "peak MB of derive", value: median(commands[0].peak), bound: 256},
	})
	return nil
}

// dataFolder and duckFolder are where derive and DuckDB write.
func dataFolder(dir string) string { return filepath.Join(dir, "data") }
func duckFolder(dir string) string { return filepath.Join(dir, "duckdb") }

// rawFolder is where the input of a shape stands.
func rawFolder(dir string, runs int, lines string) string {
	return filepath.Join(dir, fmt.Sprintf("raw-%d-%s", runs, lines))
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

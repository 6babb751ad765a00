package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assay-bench/assay/eval/githistory"
)

// searched is the repository of 5,000 files that tools are asked about.
var searched = sourceTree{files: 5000, functions: 40, commits: 200}

// searchTasks is the number of questions: the last commits.
const searchTasks = 100

// benchEval measures the built-in index alone, an evaluation of five tools, and
// the memory of one over much source; and ripgrep over the same questions.
func benchEval(assay, dir string, rounds, megabytes int) error {
	repo, err := filepath.Abs(filepath.Join(dir, "repo-5000"))
	if err != nil {
		return err
	}
	if err := searched.make(repo); err != nil {
		return err
	}
	fmt.Printf("%d files, %.1f MB; %s\n\n", searched.files, float64(searched.size())/1e6, processor())
	alone, err := measureSearch(rounds)
	if err != nil {
		return err
	}
	commands := []*contender{evaluation("assay eval git, 100 tasks, 5 tools and popular", assay, repo, dir)}
	rg, _ := exec.LookPath("rg")
	if rg != "" {
		commands = append(commands, evaluation("the same tasks, ripgrep by command alone", assay, repo, dir,
			"--builtins", "none", "--tool", "rg=rg --sort path -il -F -e {query} .", "--expand", "rg=keywords:5"))
	}
	if err := runAll(commands, rounds); err != nil {
		return err
	}
	large, err := measureMemory(assay, dir, megabytes)
	if err != nil {
		return err
	}
	printContenders(append(commands, large))
	figures := []target{
		{name: "bm25 index, MB/s a core", value: alone.MBPerSecond, bound: 20, least: true},
		{name: "bm25 query, ms", value: alone.QueryMS, bound: 5},
		{name: "bm25 query, slowest, ms", value: alone.SlowestMS, free: true},
		{name: "100 tasks x 5 tools, s", value: median(commands[0].wall), bound: 60},
		{name: fmt.Sprintf("peak MB over %d MB of source", megabytes), value: median(large.peak), bound: 1000},
	}
	if rg == "" {
		printTargets(figures)
		fmt.Print("ripgrep is not on the path and was left out.\n\n")
		return nil
	}
	ms, err := ripgrep(rg, repo)
	if err != nil {
		return err
	}
	printTargets(append(figures, target{name: "ripgrep, one question's keywords, ms", value: ms, free: true},
		target{name: "ripgrep / bm25 query", value: ms / alone.QueryMS, free: true}))
	return nil
}

// evaluation is one of 100 tasks on two processors.
func evaluation(name, assay, repo, dir string, more ...string) *contender {
	out := filepath.Join(dir, "eval")
	args := []string{assay, "eval", "git", repo, "--base", fmt.Sprintf("main~%d", searchTasks), "--head", "main", "--jobs", "2", "-o", out, "--quiet"}
	return &contender{name: name, args: append(args, more...), env: []string{"GOMAXPROCS=2"}, clean: out}
}

// measureMemory evaluates all tools over much source once; five tasks are enough,
// since what is held is the indices.
func measureMemory(assay, dir string, megabytes int) (*contender, error) {
	// A file of 100 functions has 19.8 KB.
	tree := sourceTree{files: megabytes * 1_000_000 / 19_800, functions: 100, commits: 5}
	repo, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf("repo-%d-mb", megabytes)))
	if err != nil {
		return nil, err
	}
	if err := tree.make(repo); err != nil {
		return nil, err
	}
	size := float64(tree.size()) / 1e6
	c := &contender{name: fmt.Sprintf("assay eval git over %.0f MB in %d files, 5 tasks", size, tree.files), env: []string{"GOMAXPROCS=2"}, clean: filepath.Join(dir, "eval"),
		args: []string{assay, "eval", "git", repo, "--base", "main~5", "--head", "main", "--jobs", "2", "-o", filepath.Join(dir, "eval"), "--quiet"}}
	return c, c.run(true)
}

// ripgrep is the mean time of one search of the checkout for the keywords of a
// task's subject, as `rg -il -F -e word -e word`.
func ripgrep(rg, repo string) (ms float64, err error) {
	var spent time.Duration
	for n := searched.commits - searchTasks + 1; n <= searched.commits; n++ {
		subject, _ := searched.subject(n)
		args := []string{"-il", "-F"}
		for _, word := range githistory.Keywords(subject) {
			args = append(args, "-e", word)
		}
		cmd := exec.Command(rg, append(args, ".")...)
		cmd.Dir = repo
		start := time.Now()
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: nothing found
			return 0, fmt.Errorf("rg: %w", err)
		}
		spent += time.Since(start)
	}
	return spent.Seconds() * 1000 / searchTasks, nil
}

// measureSearch runs the index in a process of its own.
func measureSearch(rounds int) (searchFigures, error) {
	self, err := os.Executable()
	if err != nil {
		return searchFigures{}, err
	}
	cmd := exec.Command(self, "-step", stepSearch, "-rounds", fmt.Sprint(rounds))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return searchFigures{}, err
	}
	var f searchFigures
	return f, json.Unmarshal(out, &f)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// evaluators lists the subcommands of assay eval.
var evaluators = []func(*app) *cobra.Command{
	evalGitCommand,
	evalRecallCommand,
}

func evalCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval git|recall",
		Short: "Evaluate a retrieval tool: on a repository's history, or on a set of questions",
		Long: `Evaluators make runs without a model: the tool under test is asked, and what it answers is scored and
kept as run directories, which validate, derive, tables and audit read like any others.`,
		Example: `  assay eval git . --tool mine='mytool search {query} --limit {limit}'
  assay eval recall --questions questions.json --cmd 'mytool recall --json {q}'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usageError(fmt.Errorf("eval: have %q, want one of %s", args[0], strings.Join(namesOf(c.Commands()), ", ")))
		},
	}
	for _, make := range evaluators {
		c.AddCommand(make(a))
	}
	return c
}

func namesOf(list []*cobra.Command) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name())
	}
	return names
}

// cacheFolder is where evaluators keep what can be made again.
func cacheFolder() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for caches: %w; name one with -o", err)
	}
	return filepath.Join(dir, "assay"), nil
}

// newExperiment names an experiment after its evaluator and the time: each
// invocation is one of its own.
func newExperiment(evaluator string, now time.Time) string {
	return evaluator + "-" + now.UTC().Format("20060102T150405.000Z")
}

// writableFolder refuses an output file whose folder is not there, before hours are spent on it.
func writableFolder(flag, path string) error {
	if path == "" || path == "-" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("--%s: have no folder %s, want one to write %s into", flag, filepath.Dir(path), filepath.Base(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--%s: have the folder %s, want a file", flag, path)
	}
	return nil
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assay-bench/assay/eval/capture"
	"github.com/assay-bench/assay/schema"
)

func captureCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "capture install|uninstall",
		Short: "Keep one case for retrieval evaluation from each of your own coding sessions",
		Long: `Hooks of Claude Code that keep, for each session that changed files, the first prompt (redacted), the
commit it began at and the files it changed, in the git directory of the checkout. Nothing is sent and nothing is
committed; the hooks do nothing unless ` + capture.Variable + `=true. assay eval git REPO --sessions scores the cases.`,
		Example: `  assay capture install                    shows the settings, then asks
  ` + capture.Variable + `=true claude
  assay eval git . --sessions`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usageError(fmt.Errorf("capture: have %q, want install or uninstall", args[0]))
		},
	}
	c.AddCommand(captureChange(a, "install", "Add the hooks to Claude Code's settings"),
		captureChange(a, "uninstall", "Take the hooks out of Claude Code's settings"), captureHook(a))
	return c
}

// captureOptions are the flags of install and uninstall.
type captureOptions struct {
	settings string
	yes      bool
}

func captureChange(a *app, verb, short string) *cobra.Command {
	var o captureOptions
	c := &cobra.Command{
		Use:   verb,
		Short: short,
		Long: short + `. What changes in the file is shown first; nothing is written until that is confirmed, on a
terminal or with --yes. Whatever else the settings hold stays as it is.`,
		Example: "  assay capture " + verb + "\n  assay capture " + verb + " --settings .claude/settings.local.json --yes",
		Args:    cobra.NoArgs,
		RunE:    func(_ *cobra.Command, _ []string) error { return changeSettings(a, verb, o) },
	}
	c.Flags().StringVar(&o.settings, "settings", "", "the settings file (default: .claude/settings.json in your home)")
	c.Flags().BoolVar(&o.yes, "yes", false, "write without asking")
	return c
}

// captureHook is what the settings call. It prints nothing and ends with 0 whatever
// happens, a wrong argument included: a hook must not disturb its session.
func captureHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use:                "hook",
		Short:              "Take one event of a session from standard input; called by the hooks",
		Example:            "  assay capture hook < event.json",
		Hidden:             true,
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			handleEvent(c.Context(), a)
			return nil
		},
	}
}

func handleEvent(ctx context.Context, a *app) {
	defer func() {
		// A fault of this program is no reason to end someone's session.
		_ = recover()
	}()
	ctx, cancel := context.WithTimeout(ctx, capture.HookTime)
	defer cancel()
	// The error is for logs that do not exist here.
	_ = capture.Handle(ctx, a.in, os.Getenv(capture.Variable))
}

// settingsJSON is the result for programs.
type settingsJSON struct {
	// Settings is the file.
	Settings string `json:"settings"`
	// Changed is whether the file was written.
	Changed bool `json:"changed"`
}

func changeSettings(a *app, verb string, o captureOptions) error {
	path, before, mode, err := readSettings(o.settings)
	if err != nil {
		return err
	}
	var after []byte
	if verb == "install" {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		after, err = capture.Install(before, program)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	} else if after, err = capture.Uninstall(before); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if string(after) == string(before) || len(before) == 0 && verb == "uninstall" {
		a.say("%s: nothing to change", path)
		return a.settingsDone(path, false)
	}
	if !a.json {
		fmt.Fprintf(a.out, "%s will change by:\n%s", path, capture.Diff(printable(before), printable(after)))
	}
	if yes, err := a.confirmed(o); err != nil || !yes {
		if err == nil {
			a.say("nothing written")
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := replaceFile(path, mode, func(w io.Writer) error { _, err := w.Write(after); return err }); err != nil {
		return err
	}
	a.say("%s written", path)
	if verb == "install" {
		a.next(capture.Variable+"=true claude       (capture this session)", "assay eval git . --sessions     (score the cases)")
	}
	return a.settingsDone(path, true)
}

// printable are settings as they may be printed: others' hold keys at times.
func printable(settings []byte) []byte {
	text, _ := schema.RedactJSON(settings)
	return text
}

func (a *app) settingsDone(path string, changed bool) error {
	if !a.json {
		return nil
	}
	return a.printJSON(settingsJSON{path, changed})
}

// confirmed asks on a terminal; elsewhere it wants --yes.
func (a *app) confirmed(o captureOptions) (bool, error) {
	if o.yes {
		return true, nil
	}
	in, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return false, usageError(fmt.Errorf("capture: nothing written: have no terminal to ask on, want --yes"))
	}
	fmt.Fprint(a.err, "write it? [y/N] ")
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// readSettings reads the settings where they really are; a file that is not there is empty.
func readSettings(path string) (real string, text []byte, mode fs.FileMode, err error) {
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", nil, 0, fmt.Errorf("no home folder: %w; name the file with --settings", err)
		}
		path = filepath.Join(home, filepath.FromSlash(capture.SettingsFile))
	}
	// Settings are often links into a repository of dot files.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, 0o600, nil
	}
	if err != nil {
		return path, nil, 0, err
	}
	text, err = os.ReadFile(path)
	return path, text, info.Mode().Perm(), err
}

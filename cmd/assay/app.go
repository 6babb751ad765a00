package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// An app is what every command shares: where it reads and writes, and the flags
// that mean the same everywhere.
type app struct {
	in       io.Reader
	out      io.Writer
	err      io.Writer
	program  string // how the program is called again, in printed steps
	json     bool
	exitZero bool
	quiet    bool
}

// commands lists every subcommand; each stands in a file of its name.
var commands = []func(*app) *cobra.Command{
	demoCommand,
	simulateCommand,
	importCommand,
	recordCommand,
	validateCommand,
	deriveCommand,
	tablesCommand,
	explainCommand,
	auditCommand,
	findingsCommand,
	verifyCommand,
	statusCommand,
	diffCommand,
	compareCommand,
	powerCommand,
	gateCommand,
	evalCommand,
	captureCommand,
	sqlCommand,
	describeCommand,
	schemaCommand,
	versionCommand,
}

// queriesApart sets a blank before an argument that is SQL with a comment at its
// beginning, which would be taken for a flag.
func queriesApart(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if comment, ok := strings.CutPrefix(a, "--"); ok && strings.TrimLeft(comment, " \t\r\n") != comment {
			out[i] = " " + a
		}
	}
	return out
}

// run executes one command line of a program that was called by the given name,
// and returns the exit code.
func run(ctx context.Context, program string, args []string, in io.Reader, out, errs io.Writer) int {
	stdout := &output{to: out}
	a := &app{in: in, out: stdout, err: errs, program: program}
	root := rootCommand(a)
	root.SetArgs(queriesApart(args))
	err := root.ExecuteContext(ctx)
	if stdout.err != nil && (err == nil || codeOf(err) == exitNotClean) {
		err = stdout.err
	}
	code := codeOf(err)
	if code == exitNotClean && a.exitZero {
		code = exitDone
	}
	if e := (*exitError)(nil); err != nil && !(errors.As(err, &e) && e.err == nil) {
		a.printError(err)
	}
	return code.number
}

// An output passes on what is written and keeps the first error: a full disk
// behind standard output must not end with exit code 0.
type output struct {
	to  io.Writer
	err error
}

// Write writes, and keeps the first error.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// outputFile is the file behind standard output, where it is one.
func (a *app) outputFile() (*os.File, bool) {
	if o, ok := a.out.(*output); ok {
		f, ok := o.to.(*os.File)
		return f, ok
	}
	f, ok := a.out.(*os.File)
	return f, ok
}

func rootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "assay COMMAND",
		Short: "From raw agent runs to paper tables that can be checked",
		Long: `Assay turns raw runs of coding agents and retrieval tools into paper tables
whose every cell can be opened down to the raw line that decided it.`,
		Example: `  assay demo -o demo                        a small simulated study, to its tables
  assay import harbor jobs -o raw           foreign logs to run directories
  assay derive raw -o data                  run directories to a dataset
  assay tables data                         the seven tables
  assay explain data 4 --row KEY --col resolved_at_1`,
		SilenceUsage: true, SilenceErrors: true, SuggestionsMinimumDistance: 2,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON (short for --format json)")
	root.PersistentFlags().BoolVar(&a.exitZero, "exit-zero", false, "exit 0 where it would be 3, done but not clean")
	root.PersistentFlags().BoolVar(&a.quiet, "quiet", false, "no progress and no next step")
	for _, make := range commands {
		c := make(a)
		wrapArgs(c)
		root.AddCommand(c)
	}
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	completeCompletion(root)
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(usageTemplate)
	return root
}

// printError says what went wrong: a line on a terminal, an object with --json.
func (a *app) printError(err error) {
	code := codeOf(err)
	if code == exitInterrupted {
		err = errors.New("interrupted")
	}
	if a.json {
		b, e := json.Marshal(struct {
			Error string `json:"error"`
			Code  int    `json:"exit"`
			Name  string `json:"name"`
		}{err.Error(), code.number, code.name})
		if e == nil {
			fmt.Fprintln(a.err, string(b))
			return
		}
	}
	fmt.Fprintln(a.err, "assay: "+visibleLines(err.Error()))
}

// printJSON writes v as indented JSON to standard output.
func (a *app) printJSON(v any) error {
	b, err := json.Marshal(v, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, string(b))
	return err
}

// say writes a line of talk.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.err, format+"\n", args...)
}

// next prints the step that most people take now. One that begins with the
// program's name is printed as the program was called, so that it can be copied.
func (a *app) next(steps ...string) {
	if a.quiet || a.json {
		return
	}
	for _, s := range steps {
		if rest, ok := strings.CutPrefix(s, programName+" "); ok {
			s = a.program + " " + rest
		}
		fmt.Fprintln(a.err, "next: "+s)
	}
}

// terminal reports whether talk goes to a person's terminal.
func (a *app) terminal() bool {
	f, ok := a.err.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// shellQuote quotes an argument of a printed next step where a shell needs it.
// Control characters are written as escapes, so that the line can be printed and
// copied all the same.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@+") == "" {
		return s
	}
	if strings.IndexFunc(s, func(r rune) bool { return visible(r) != r }) < 0 {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case visible(r) != r:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return "$'" + b.String() + "'"
}

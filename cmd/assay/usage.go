package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrongLine says what is wrong with the command line of c, and where its help is.
func wrongLine(c *cobra.Command, said string) error {
	if _, place, below := strings.Cut(c.CommandPath(), " "); below {
		said = place + ": " + said
	}
	return usageError(fmt.Errorf("%s\nsee: %s --help", said, c.CommandPath()))
}

// flagError says of a flag what it has and wants, as every other error does.
func flagError(c *cobra.Command, err error) error {
	var (
		value   *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
	)
	switch {
	case errors.As(err, &value):
		return wrongLine(c, fmt.Sprintf("--%s: have %q, want %s", value.GetFlag().Name, value.GetValue(), flagKind(value.GetFlag())))
	case errors.As(err, &missing):
		return wrongLine(c, fmt.Sprintf("--%s: have no value, want %s", missing.GetFlag().Name, flagKind(missing.GetFlag())))
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = name[1:]
		}
		return wrongLine(c, fmt.Sprintf("have the flag %s, want one of those that --help lists", name))
	}
	return wrongLine(c, err.Error())
}

// flagKind is what a flag takes, in words.
func flagKind(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 30s or 5m"
	}
	return "a text"
}

// knownCommand refuses a first word that is no command, and names what was meant.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see: assay --help"
	if close := c.SuggestionsFor(args[0]); len(close) > 0 {
		hint = "did you mean: assay " + strings.Join(close, ", assay ")
	}
	return usageError(fmt.Errorf("have command %q, want one of those that assay --help lists\n%s", args[0], hint))
}

// wrapArgs makes a wrong number of arguments a wrong command line.
func wrapArgs(c *cobra.Command) {
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
	if c.Args == nil {
		return
	}
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return wrongLine(c, fmt.Sprintf("have %s, want %s", counted(len(args), "argument"), c.UseLine()))
		}
		return nil
	}
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// helpCommand is the command help, which refuses what is no command.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND...]",
		Short:   "Show the help of a command",
		Example: "  assay help derive",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || c == root && len(rest) > 0 {
				return knownCommand(root, args)
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// completeCompletion gives cobra's own command examples, and an error for a shell
// that it does not know.
func completeCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Example = "  source <(assay completion bash)"
		c.Args = cobra.ArbitraryArgs
		var shells []string
		for _, shell := range c.Commands() {
			shell.Example = "  assay completion " + shell.Name()
			shells = append(shells, shell.Name())
			wrapArgs(shell)
		}
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return wrongLine(c, fmt.Sprintf("have %q, want one of %s", args[0], strings.Join(shells, ", ")))
		}
	}
}

package githistory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ToolFlags are the options of a command line that describe outside tools, as they were written.
type ToolFlags struct {
	// Commands and Servers are NAME=COMMAND, in the order in which the tools are reported: commands first.
	Commands, Servers []string
	// Calls, Arguments, Formats, Paths and Versions set one property of a tool, as NAME=VALUE, or of every tool of
	// their kind, as VALUE: the server's tool and its arguments, the format of the answer, the jq path, the
	// command that prints a version.
	Calls, Arguments, Formats, Paths, Versions []string
	// Expand is keywords:N, NAME=keywords:N or empty; several may be given.
	Expand []string
}

// Specs reads the options. The error names the option's value and what it should be.
func (f ToolFlags) Specs() ([]ToolSpec, error) {
	var specs []ToolSpec
	for i, text := range slices.Concat(f.Commands, f.Servers) {
		name, line, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(line) == "" {
			return nil, fmt.Errorf("tool %q: want NAME='command'", text)
		}
		spec := ToolSpec{Name: name, Command: line}
		server := i >= len(f.Commands)
		var err error
		if server {
			spec.Call, spec.Arguments = pick(f.Calls, f, name), pick(f.Arguments, f, name)
			if spec.Call == "" || spec.Arguments == "" {
				return nil, fmt.Errorf("server %s: have call %q and arguments %q, want the name of its tool and a JSON object", name, spec.Call, spec.Arguments)
			}
		}
		spec.JQ, spec.VersionCommand = pick(f.Paths, f, name), pick(f.Versions, f, name)
		if spec.Format, err = format(pick(f.Formats, f, name)); err != nil {
			return nil, err
		}
		if spec.Expand, err = expand(pick(f.Expand, f, name)); err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// pick is the value for a tool: the last that names it, else the last that names none.
func pick(values []string, f ToolFlags, tool string) string {
	all := ""
	for _, text := range slices.Backward(values) {
		name, value, ok := strings.Cut(text, "=")
		switch {
		case ok && name == tool:
			return value
		case (!ok || !f.names(name)) && all == "":
			all = text
		}
	}
	return all
}

// names says whether some tool has this name, so that an "=" inside of a value is not taken for one.
func (f ToolFlags) names(name string) bool {
	return slices.ContainsFunc(slices.Concat(f.Commands, f.Servers), func(text string) bool {
		return strings.HasPrefix(text, name+"=")
	})
}

func format(text string) (Format, error) {
	formats := []Format{Auto, Lines, JSON, JSONLines, Text}
	if text == "" {
		return Auto, nil
	}
	if !slices.Contains(formats, Format(text)) {
		return "", fmt.Errorf("format of answers: have %q, want one of %v", text, formats)
	}
	return Format(text), nil
}

func expand(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(text, "keywords:")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("expansion: have %q, want keywords:N with N of at least 1", text)
	}
	return n, nil
}

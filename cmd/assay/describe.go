package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/spf13/cobra"
)

// A definition is one thing that `assay describe` can explain.
type definition struct {
	// Kind is the list that it stands in, such as metric.
	Kind string `json:"kind"`
	// Name is what it is called.
	Name string `json:"name"`
	// Text says what it is, in a sentence.
	Text string `json:"text"`
	// Facts are further named properties, in order.
	Facts [][2]string `json:"facts,omitempty"`
}

func describeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "describe [KIND] [NAME]",
		Short: "Print definitions: metrics, columns, events, findings, tables, SQL functions, words",
		Long: `Prints what a name means, from the lists that the program itself works with. Without
arguments it lists the kinds, with a KIND its names; a name alone is looked up in all kinds.`,
		Example: `  assay describe metric
  assay describe resolved_at_1
  assay describe column runs.fault
  assay describe finding seq_gap`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			found, err := lookUp(args)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			printDefinitions(a.out, found, len(args) == 1 && found[0].Kind == kindOf(args[0]) && found[0].Name != args[0] || len(args) == 0)
			return nil
		},
	}
}

// lookUp finds definitions by kind, by name, or by both.
func lookUp(args []string) ([]definition, error) {
	all := definitions()
	if len(args) == 0 {
		return kindsOf(all), nil
	}
	kind, name := kindOf(args[0]), ""
	if len(args) == 2 {
		name = args[1]
	}
	var found []definition
	for _, d := range all {
		byKind := d.Kind == kind && (name == "" || d.named(name))
		if byKind || len(args) == 1 && d.named(args[0]) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return nil, usageError(fmt.Errorf("describe: have %q, want a name%s, or one of the kinds %s", strings.Join(args, " "), meant(all, args[len(args)-1]), strings.Join(kindNames(all), ", ")))
	}
	return found, nil
}

// kindOf is a kind as people may write it: metrics, metric.
func kindOf(word string) string { return strings.TrimSuffix(word, "s") }

// named reports whether a definition is meant by a name: its own, or for a column
// TABLE.COLUMN the part behind the point.
func (d definition) named(name string) bool {
	_, column, _ := strings.Cut(d.Name, ".")
	return d.Name == name || d.Kind == kindColumn && column == name
}

func kindNames(all []definition) []string {
	var names []string
	for _, d := range kindsOf(all) {
		names = append(names, d.Name)
	}
	return names
}

// meant names what stands close to a name that is not there.
func meant(all []definition, name string) string {
	var close []string
	for _, d := range all {
		if strings.Contains(d.Name, name) || strings.Contains(name, d.Name) && len(d.Name) > 3 {
			close = append(close, d.Kind+" "+d.Name)
		}
	}
	if len(close) == 0 || len(close) > 12 {
		return ""
	}
	return " (such as " + strings.Join(close, ", ") + ")"
}

func kindsOf(all []definition) []definition {
	count := map[string]int{}
	for _, d := range all {
		count[d.Kind]++
	}
	var kinds []definition
	for k, n := range count {
		kinds = append(kinds, definition{Kind: "kind", Name: k, Text: fmt.Sprintf("%d definitions: assay describe %s", n, k)})
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].Name < kinds[j].Name })
	return kinds
}

// printDefinitions prints a line each, or each with all that is known of it.
func printDefinitions(w io.Writer, list []definition, brief bool) {
	width := 0
	for _, d := range list {
		width = max(width, len(d.Name))
	}
	for i, d := range list {
		if brief {
			fmt.Fprintf(w, "%-*s  %s\n", width, d.Name, d.Text)
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s %s: %s\n", d.Kind, d.Name, d.Text)
		for _, f := range d.Facts {
			if f[1] != "" {
				fmt.Fprintf(w, "  %s: %s\n", f[0], f[1])
			}
		}
	}
}

package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/schema"
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
		Short: "Print definitions: metrics, events, fields, findings, columns, tables, words",
		Example: `  assay describe metric resolved_at_1
  assay describe finding
  assay describe seq_gap`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			found, err := lookUp(args)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			return printDefinitions(a.out, found)
		},
	}
}

// lookUp finds definitions by kind, by name, or by both.
func lookUp(args []string) ([]definition, error) {
	all := definitions()
	if len(args) == 0 {
		return kindsOf(all), nil
	}
	kind, name := strings.TrimSuffix(args[0], "s"), ""
	if len(args) == 2 {
		name = args[1]
	}
	var found []definition
	for _, d := range all {
		byKind := d.Kind == kind && (name == "" || d.Name == name)
		if byKind || len(args) == 1 && d.Name == args[0] {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return nil, usageError(fmt.Errorf("describe: have %q, want a name, or one of the kinds %s", strings.Join(args, " "), strings.Join(kindNames(all), ", ")))
	}
	return found, nil
}

func kindNames(all []definition) []string {
	var names []string
	for _, d := range kindsOf(all) {
		names = append(names, d.Name)
	}
	return names
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

// definitions gathers every list of the vocabulary.
func definitions() []definition {
	var all []definition
	for _, e := range schema.EventTypes {
		all = append(all, definition{"event", e.Name, e.Doc, fieldFacts("", e.Fields())})
	}
	for _, d := range schema.Documents {
		all = append(all, definition{"document", d.Name, d.Doc, fieldFacts("", d.Fields())})
	}
	for _, c := range schema.FindingCodes {
		all = append(all, definition{"finding", c.Name, c.Doc, [][2]string{{"severity", string(c.Severity)}}})
	}
	for _, c := range schema.ExclusionReasons {
		all = append(all, definition{"exclusion", c.Name, c.Doc, nil})
	}
	for _, s := range schema.Sets {
		for _, w := range s.Words {
			all = append(all, definition{"word", w.Name, w.Doc, [][2]string{{"of", s.Name}}})
		}
	}
	for _, c := range exitCodes {
		all = append(all, definition{"exit", fmt.Sprint(c.number), c.meaning, nil})
	}
	return all
}

func fieldFacts(prefix string, fields []schema.Field) [][2]string {
	var facts [][2]string
	for _, f := range fields {
		words := string(f.Kind)
		if f.Elem != nil {
			words += " of " + string(f.Elem.Kind)
		}
		if f.Unit != "" {
			words += ", " + f.Unit
		}
		if f.Required {
			words += ", required"
		}
		facts = append(facts, [2]string{prefix + f.Key, words + ": " + f.Doc})
		facts = append(facts, fieldFacts(prefix+f.Key+".", f.Fields)...)
		if f.Elem != nil {
			facts = append(facts, fieldFacts(prefix+f.Key+"[].", f.Elem.Fields)...)
		}
	}
	return facts
}

func printDefinitions(w io.Writer, list []definition) error {
	for i, d := range list {
		if i > 0 && len(d.Facts) > 1 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s %s: %s\n", d.Kind, d.Name, d.Text)
		for _, f := range d.Facts {
			if f[1] != "" {
				fmt.Fprintf(w, "  %s: %s\n", f[0], f[1])
			}
		}
	}
	return nil
}

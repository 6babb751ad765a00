package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

func diffCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "The first difference between two datasets: definitions, inputs, rows, bytes",
		Long: `Compares two datasets from the top: what they were made by and from, the columns and the registry of
metrics, then every table row by row along its key. Columns that differ are counted, each with the first row in
which they do and with the definition of the metric. Exits 3 where they differ.`,
		Example: `  assay diff data/0123456789abcdef data/fedcba9876543210
  assay diff before after --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return runDiff(c.Context(), a, args[0], args[1])
		},
	}
}

func runDiff(ctx context.Context, a *app, first, second string) error {
	x, err := dataset.Open(first)
	if err != nil {
		return err
	}
	y, err := dataset.Open(second)
	if err != nil {
		return err
	}
	list, err := diffDatasets(ctx, x, y)
	if err != nil {
		return err
	}
	if err := a.printDifferences(list); err != nil {
		return err
	}
	if len(list) > 0 {
		return notClean()
	}
	return nil
}

// A difference is one way in which two datasets differ.
type difference struct {
	// Level is definitions, inputs, rows or bytes.
	Level string `json:"level"`
	// Where is what differs: a field of the lineage, an input, a table, a column of it.
	Where string `json:"where"`
	// First and Second are what each dataset has.
	First  string `json:"first"`
	Second string `json:"second"`
	// Count is how many rows or files differ so; 0 where that is not counted.
	Count int64 `json:"count,omitzero"`
	// Definition is that of the metric whose column differs.
	Definition string `json:"definition,omitzero"`
}

// The levels, in the order of the comparison.
const (
	levelDefinitions = "definitions"
	levelInputs      = "inputs"
	levelRows        = "rows"
	levelBytes       = "bytes"
)

func (a *app) printDifferences(list []difference) error {
	if a.json {
		return a.printJSON(append([]difference{}, list...))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "no difference")
	}
	for _, d := range list {
		text := strings.Map(visible, fmt.Sprintf("%s: %s: %s, and %s", d.Level, d.Where, orNothing(d.First), orNothing(d.Second)))
		if d.Count > 1 {
			text += fmt.Sprintf(" (%d in all)", d.Count)
		}
		if d.Definition != "" {
			text += "\n  it is " + d.Definition
		}
		fmt.Fprintln(a.out, text)
	}
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// diffDatasets compares from the top: what explains a difference comes before it.
func diffDatasets(ctx context.Context, x, y *dataset.Dataset) ([]difference, error) {
	list := diffDefinitions(x.Lineage, y.Lineage)
	inputs, err := diffInputs(x, y)
	if err != nil {
		return nil, err
	}
	list = append(list, inputs...)
	for _, t := range schema.Tables {
		rows, err := diffTable(ctx, x, y, t)
		if err != nil {
			return nil, err
		}
		list = append(list, rows...)
	}
	return list, nil
}

// diffDefinitions compares what decides the rows beside the inputs.
func diffDefinitions(x, y *dataset.Lineage) []difference {
	var list []difference
	say := func(where, first, second string) {
		if first != second {
			list = append(list, difference{Level: levelDefinitions, Where: where, First: first, Second: second})
		}
	}
	say("schema_version", x.SchemaVersion, y.SchemaVersion)
	say("code_revision", x.CodeRevision, y.CodeRevision)
	say("options", fmt.Sprintf("%+v", x.Options), fmt.Sprintf("%+v", y.Options))
	say("contract_versions", strings.Join(x.ContractVersions, ", "), strings.Join(y.ContractVersions, ", "))
	say("factors", factorNames(x.Factors), factorNames(y.Factors))
	return list
}

func factorNames(factors []dataset.Factor) string {
	var names []string
	for _, f := range factors {
		names = append(names, f.Column)
	}
	return strings.Join(names, ", ")
}

// diffInputs compares the raw files by their hashes.
func diffInputs(x, y *dataset.Dataset) ([]difference, error) {
	if x.Lineage.InputRunsSHA256 == y.Lineage.InputRunsSHA256 {
		return nil, nil
	}
	first, err := inputHashes(x)
	if err != nil {
		return nil, err
	}
	second, err := inputHashes(y)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, m := range []map[string]string{first, second} {
		for name := range m {
			names[name] = true
		}
	}
	d := difference{Level: levelInputs}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if first[name] == second[name] {
			continue
		}
		if d.Count++; d.Count == 1 {
			d.Where, d.First, d.Second = name, first[name], second[name]
		}
	}
	if d.Count == 0 {
		d.Where, d.First, d.Second = "digest of the inputs", x.Lineage.InputRunsSHA256, y.Lineage.InputRunsSHA256
	}
	return []difference{d}, nil
}

// inputHashes maps every raw file, by its path under its root, to its hash.
func inputHashes(d *dataset.Dataset) (map[string]string, error) {
	hashes := map[string]string{}
	for _, e := range d.Lineage.Experiments {
		for _, f := range e.Files {
			hashes[e.Path+"/"+f.Name] = "SHA-256 " + f.SHA256
		}
	}
	err := dataset.ReadInputs(d.Dir, func(in dataset.Input) error {
		for _, f := range in.Files {
			hashes[in.Path+"/"+f.Name] = "SHA-256 " + f.SHA256
		}
		return nil
	})
	return hashes, err
}

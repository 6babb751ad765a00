package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// tablesOptions are the flags of assay tables.
type tablesOptions struct {
	// tables are numbers or names; none means all.
	tables  []string
	format  string
	out     string
	with    string
	faults  string
	threads int
}

func tablesCommand(a *app) *cobra.Command {
	var o tablesOptions
	c := &cobra.Command{
		Use:   "tables DATA [TABLE...]",
		Short: "Make the seven paper tables of a dataset",
		Example: `  assay tables data                                    on the screen
  assay tables data 4 --format latex                   only table 4
  assay tables data -o tables                          every format, a file each`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.tables = append(o.tables, args[1:]...)
			return runTables(c.Context(), a, args[0], o)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.tables, "table", nil, "only these tables, by number or name")
	f.StringVar(&o.format, "format", "", "box, "+strings.Join(formatNames(), ", ")+" (with -o: default all)")
	f.StringVarP(&o.out, "out", "o", "", "write files into a new folder")
	f.StringVar(&o.with, "with", "", "also the tables of a folder: NAME.sql, NAME.json and, for explain, NAME.runs.sql each")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none (default: the plan's, else agent)")
	return c
}

func formatNames() []string {
	var names []string
	for _, f := range tables.Formats {
		names = append(names, f.Name)
	}
	return names
}

func runTables(ctx context.Context, a *app, data string, o tablesOptions) error {
	if a.json && o.format == "" {
		o.format = "json"
	}
	if err := checkFaults(o.faults); err != nil {
		return err
	}
	specs, err := chooseSpecs(o)
	if err != nil {
		return err
	}
	formats, err := chooseFormats(o)
	if err != nil {
		return err
	}
	d, db, err := openDataset(ctx, data, o.faults, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	grids, err := makeTables(ctx, d, db, specs, o.out != "")
	if err != nil {
		return err
	}
	if err := tables.Accounting(ctx, db); err != nil {
		return fmt.Errorf("%s: %w", d.Dir, err)
	}
	if o.out == "" {
		err = a.showTables(grids, formats)
	} else {
		err = writeTables(ctx, d, db, o.out, specs, grids, formats)
	}
	if err != nil {
		return err
	}
	a.tablesNext(data, o, grids)
	return primaryObserved(ctx, db)
}

// primaryObserved ends with "cannot decide" where no arm has a single observed
// value of the primary outcome.
func primaryObserved(ctx context.Context, db *duck.DB) error {
	res, err := db.Query(ctx, "SELECT study_primary()")
	if err != nil {
		return err
	}
	primary := res.Rows[0][0].Text
	res, err = db.Query(ctx, `SELECT count("`+strings.ReplaceAll(primary, `"`, `""`)+`") FROM included`)
	if err != nil {
		return fmt.Errorf("primary outcome %s: %w", primary, err)
	}
	if res.Rows[0][0].Int > 0 {
		return nil
	}
	scores, err := scoreNames(ctx, db)
	if err != nil {
		return err
	}
	return &exitError{exitUndecided, fmt.Errorf("nothing measured: no included run has a value of the primary outcome %s%s", primary, scores)}
}

// scoreNames says what was measured instead: scores, which no table shows.
func scoreNames(ctx context.Context, db *duck.DB) (string, error) {
	res, err := db.Query(ctx, "SELECT DISTINCT name FROM scores WHERE value IS NOT NULL ORDER BY name")
	if err != nil || len(res.Rows) == 0 {
		return "", err
	}
	var names []string
	for _, row := range res.Rows {
		names = append(names, row[0].Text)
	}
	return "; the scores " + strings.Join(names, ", ") + " stand in the view scores of assay sql", nil
}

// chooseSpecs are the tables asked for, shipped or of a folder; all without a choice.
func chooseSpecs(o tablesOptions) ([]tables.Spec, error) {
	specs := tables.Shipped()
	if o.with != "" {
		own, err := tables.ReadSpecs(os.DirFS(o.with))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.with, err)
		}
		specs = append(specs, own...)
	}
	if len(o.tables) == 0 {
		return specs, nil
	}
	var chosen []tables.Spec
	for _, name := range o.tables {
		s, err := specNamed(specs, name)
		if err != nil {
			return nil, usageError(fmt.Errorf("tables: %w", err))
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}

// chooseFormats are the formats asked for; none means the screen, or with -o all.
func chooseFormats(o tablesOptions) ([]tables.Format, error) {
	if o.format == "" || o.format == "box" {
		if o.out == "" {
			return nil, nil
		}
		return slices.DeleteFunc(slices.Clone(tables.Formats), func(f tables.Format) bool { return f.Name == "box" }), nil
	}
	var chosen []tables.Format
	for name := range strings.SplitSeq(o.format, ",") {
		i := slices.IndexFunc(tables.Formats, func(f tables.Format) bool { return f.Name == name })
		if i < 0 {
			return nil, usageError(fmt.Errorf("--format: have %q, want one of %s", name, strings.Join(formatNames(), ", ")))
		}
		chosen = append(chosen, tables.Formats[i])
	}
	return chosen, nil
}

// makeTables makes the tables; where their files are written, each names its lineage.
func makeTables(ctx context.Context, d *dataset.Dataset, db *duck.DB, specs []tables.Spec, written bool) ([]tables.Grid, error) {
	line, err := lineageLine(ctx, d, db)
	if err != nil {
		return nil, err
	}
	var grids []tables.Grid
	for _, s := range specs {
		g, err := tables.Make(ctx, db, s)
		if err != nil {
			return nil, err
		}
		if g.Lineage = line; written {
			g.Lineage += " Lineage: " + lineageName(s)
		}
		grids = append(grids, g)
	}
	return grids, nil
}

// lineageLine says at the end of a rendered table what it rests on: the runs as
// they count under the convention of faults in use, the contract that they keep,
// and the code that derived them and that made the table.
func lineageLine(ctx context.Context, d *dataset.Dataset, db *duck.DB) (string, error) {
	res, err := db.Query(ctx, `SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM included), count(*) FILTER (run_id IS NULL), count(*), count(*) FILTER (inferred), study_faults() FROM plan`)
	if err != nil {
		return "", err
	}
	row := res.Rows[0]
	runs, included, absent, cells, inferred, faults := row[0].Int, row[1].Int, row[2].Int, row[3].Int, row[4].Int, row[5].Text
	text := fmt.Sprintf("Dataset %s: %d runs (%d included, %d excluded, %d absent", d.Lineage.DatasetID, runs, included, runs-included, absent)
	switch {
	case inferred == cells && cells > 0:
		text += "; plan inferred"
	case inferred > 0:
		text += fmt.Sprintf("; %d of %d planned cells inferred", inferred, cells)
	}
	if faults != schema.FaultsAgent.Name {
		text += "; faults that count as failures: " + faults
	}
	contract := strings.Join(d.Lineage.ContractVersions, ", ")
	if contract == "" {
		contract = schema.Version
	}
	text += "); contract " + contract + ", code " + d.Lineage.CodeRevision
	if here := codeRevision(); here != d.Lineage.CodeRevision {
		text += ", tables by " + here
	}
	return text + ".", nil
}

func lineageName(s tables.Spec) string {
	if s.Number > 0 {
		return fmt.Sprintf("%d.lineage.json", s.Number)
	}
	return s.Name + ".lineage.json"
}

func (a *app) showTables(grids []tables.Grid, formats []tables.Format) error {
	if len(formats) == 1 && formats[0].Name == tables.FormatJSON.Name && len(grids) > 1 {
		return a.showJSON(grids)
	}
	for i, g := range grids {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if len(formats) == 0 {
			if _, err := a.out.Write(tables.Screen(g, a.screen())); err != nil {
				return err
			}
			continue
		}
		for _, f := range formats {
			for _, file := range f.Files(g)[:1] {
				if _, err := a.out.Write(file.Bytes); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// showJSON writes several tables as one array.
func (a *app) showJSON(grids []tables.Grid) error {
	var list [][]byte
	for _, g := range grids {
		list = append(list, bytes.TrimSpace(tables.FormatJSON.Files(g)[0].Bytes))
	}
	_, err := fmt.Fprintf(a.out, "[\n%s\n]\n", bytes.Join(list, []byte(",\n")))
	return err
}

// screen is what is known of the terminal that reads standard output.
func (a *app) screen() tables.Terminal {
	f, ok := a.outputFile()
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return tables.Terminal{Width: 160}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		width = 100
	}
	return tables.Terminal{Width: width, Color: os.Getenv("NO_COLOR") == ""}
}

// writeTables writes all files into a new folder, at once or not at all.
func writeTables(ctx context.Context, d *dataset.Dataset, db *duck.DB, out string, specs []tables.Spec, grids []tables.Grid, formats []tables.Format) error {
	files := map[string][]byte{}
	for i, g := range grids {
		for _, f := range formats {
			for _, file := range f.Files(g) {
				files[file.Name] = file.Bytes
			}
		}
		lineage, err := tableLineage(ctx, d, db, specs[i])
		if err != nil {
			return err
		}
		files[lineageName(specs[i])] = lineage
	}
	return writeFolder(out, files)
}

func (a *app) tablesNext(data string, o tablesOptions, grids []tables.Grid) {
	q := shellQuote(data)
	if o.out == "" {
		a.next("assay tables "+q+" -o tables        (files: Markdown, LaTeX, CSV, JSON, HTML)",
			"assay explain "+q+" 4               (the runs behind a cell)")
		return
	}
	a.say("%d tables in %s", len(grids), o.out)
	a.next("assay explain "+q+" 4               (the runs behind a cell)", "assay audit "+q)
}

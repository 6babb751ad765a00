package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// explainOptions are the flags of assay explain.
type explainOptions struct {
	row, column, run string
	faults, with     string
	limit            int
}

func explainCommand(a *app) *cobra.Command {
	var o explainOptions
	c := &cobra.Command{
		Use:   "explain DATA TABLE --row ROW --col COLUMN",
		Short: "Open a cell: the runs behind it, with the raw file and line that decided each",
		Long: `Opens a printed cell: the runs in its numerator and denominator, those missing and
excluded with their reasons, and the raw file and line that decided each. TABLE is a number or a name.
Without --row or --col it lists what can be asked for. With --run it goes the other way, from a run to
the cells it stands in.`,
		Example: `  assay explain data 4
  assay explain data 4 --row ROW --col resolved_at_1
  assay explain data --run 0123456789abcdef0123456789abcdef`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return runExplain(c.Context(), a, args, o) },
	}
	f := c.Flags()
	f.StringVar(&o.row, "row", "", "the row's key")
	f.StringVar(&o.column, "col", "", "the column's key")
	f.StringVar(&o.run, "run", "", "a run id, or its beginning: list the cells that the run stands in")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	f.StringVar(&o.with, "with", "", "also the tables of a folder")
	f.IntVar(&o.limit, "limit", 40, "runs to list; 0 lists all")
	return c
}

func runExplain(ctx context.Context, a *app, args []string, o explainOptions) error {
	if err := checkFaults(o.faults); err != nil {
		return err
	}
	specs, err := chooseSpecs(tablesOptions{with: o.with})
	if err != nil {
		return err
	}
	_, db, err := openDataset(ctx, args[0], o.faults, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if o.run != "" {
		run, err := runNamed(ctx, db, o.run)
		if err != nil {
			return err
		}
		return a.explainRun(ctx, db, specs, run)
	}
	if len(args) < 2 {
		return usageError(fmt.Errorf("explain: have no table, want its number or name, or --run"))
	}
	spec, err := specNamed(specs, args[1])
	if err != nil {
		return usageError(fmt.Errorf("explain: %w", err))
	}
	opened, err := tables.Open(ctx, db, spec)
	if err != nil {
		return err
	}
	if o.row == "" || o.column == "" {
		return a.explainChoices(args[0], args[1], spec, opened.Grid)
	}
	e, err := opened.Explain(ctx, o.row, o.column)
	if err != nil {
		return usageError(err)
	}
	if a.json {
		return a.printJSON(e)
	}
	a.printExplanation(e, o.limit)
	return nil
}

func specNamed(specs []tables.Spec, name string) (tables.Spec, error) {
	for _, s := range specs {
		if s.Name == name || s.Number > 0 && strconv.Itoa(s.Number) == name {
			return s, nil
		}
	}
	var names []string
	for _, s := range specs {
		names = append(names, s.Name)
	}
	return tables.Spec{}, fmt.Errorf("have table %q, want a number or one of %s", name, strings.Join(names, ", "))
}

// explainChoices lists the keys of rows and columns.
func (a *app) explainChoices(data, table string, s tables.Spec, g tables.Grid) error {
	var rows []string
	for _, r := range g.Rows {
		rows = append(rows, r.Key)
	}
	var columns []string
	for _, c := range s.Columns {
		if !c.Stub {
			columns = append(columns, c.Key)
		}
	}
	if a.json {
		return a.printJSON(map[string][]string{"rows": rows, "columns": columns})
	}
	fmt.Fprintf(a.out, "%s\nrows (--row):\n", g.Head())
	for _, r := range rows {
		fmt.Fprintln(a.out, "  "+shellQuote(r))
	}
	fmt.Fprintln(a.out, "columns (--col):\n  "+strings.Join(columns, ", "))
	if len(rows) > 0 && len(columns) > 0 {
		a.next("assay explain " + shellQuote(data) + " " + table + " --row " + shellQuote(rows[0]) + " --col " + columns[0])
	}
	return nil
}

func (a *app) printExplanation(e tables.Explanation, limit int) {
	fmt.Fprintln(a.out, strings.Map(visible, fmt.Sprintf("table %s, row %s, column %s: %s", e.Table, e.Row, e.Column, e.Printed)))
	if e.Of != "" {
		fmt.Fprintf(a.out, "of %s", e.Of)
		if e.Definition != "" {
			fmt.Fprintf(a.out, ": %s", e.Definition)
		}
		fmt.Fprintln(a.out)
	}
	if e.Counted != "" {
		fmt.Fprintf(a.out, "its n counts %s; below are runs\n", e.Counted)
	}
	for _, g := range e.Groups {
		fmt.Fprintf(a.out, "%6d  %s", g.Runs, joinWords(string(g.Standing), g.Role))
		if g.Tasks > 0 {
			fmt.Fprintf(a.out, ", of %s", counted(g.Tasks, "task"))
		}
		fmt.Fprintln(a.out)
	}
	fmt.Fprintln(a.out)
	rows := [][]string{{"standing", "run", "task", "value", "why", "raw file and line"}}
	for i, r := range e.Runs {
		if limit > 0 && i >= limit {
			break
		}
		why := strings.TrimSpace(strings.TrimPrefix(r.By+", "+r.Reason, ", "))
		rows = append(rows, []string{joinWords(string(r.Standing), r.Role), r.RunID, r.Task, r.Value, strings.TrimSuffix(why, ","), r.Evidence})
	}
	a.printAligned(rows)
	if limit > 0 && len(e.Runs) > limit {
		fmt.Fprintf(a.out, "… %d more; --limit 0 lists all, --json has every field\n", len(e.Runs)-limit)
	}
}

func joinWords(a, b string) string {
	if b == "" {
		return a
	}
	return a + " (" + b + ")"
}

// runNamed is the run of an id, or of the beginning of one that no other has.
func runNamed(ctx context.Context, db *duck.DB, id string) (string, error) {
	res, err := db.Query(ctx, "SELECT run_id FROM runs WHERE starts_with(run_id, '"+strings.ReplaceAll(id, "'", "''")+"') ORDER BY run_id")
	if err != nil {
		return "", err
	}
	if len(res.Rows) == 1 {
		return res.Rows[0][0].Text, nil
	}
	if len(res.Rows) > 1 {
		return "", usageError(fmt.Errorf("explain: have %q, with which the ids of %d runs begin, want one", id, len(res.Rows)))
	}
	return id, nil
}

// explainRun lists the cells that a run stands in.
func (a *app) explainRun(ctx context.Context, db *duck.DB, specs []tables.Spec, run string) error {
	var all []tables.Stand
	for _, s := range specs {
		if s.RunsSQL == "" {
			continue
		}
		opened, err := tables.Open(ctx, db, s)
		if err != nil {
			return err
		}
		stands, err := opened.Stands(ctx, run)
		if err != nil {
			return err
		}
		all = append(all, stands...)
	}
	if a.json {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		return fmt.Errorf("run %s stands in no cell; is it in the dataset? assay sql DATA \"SELECT run_id FROM runs\" lists them", run)
	}
	rows := [][]string{{"table", "row", "column", "cell", "the run", "value", "raw file and line"}}
	for _, s := range all {
		rows = append(rows, []string{s.Table, s.Row, s.Column, s.Printed, joinWords(string(s.Run.Standing), s.Run.Role), orReason(s.Run), s.Run.Evidence})
	}
	a.printAligned(rows)
	return nil
}

func orReason(r tables.BackingRun) string {
	if r.Value != "" {
		return r.Value
	}
	return r.Reason
}

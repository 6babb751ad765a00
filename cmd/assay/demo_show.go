package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/tables"
)

// showDemo prints what was planted and where it shows.
func (a *app) showDemo(ctx context.Context, demo *demonstration) error {
	faults, err := demo.faults(ctx)
	if err != nil {
		return err
	}
	rows := append([][]string{{"planted", "size", "shows in", "found"}}, demo.effects()...)
	a.printAligned(append(rows, faults...))
	n := demo.summary.Counts
	fmt.Fprintf(a.out, "\naccounting as planted: %d directories, %d runs (%d included, %d excluded), %d absent of %d planned\n",
		n.Directories, n.Runs, n.Included, n.Excluded, n.Absent, n.Planned)
	return nil
}

// effects are the terms of the primary retrieval outcome with what table 2 says
// of them.
func (d *demonstration) effects() [][]string {
	metric := schema.FileRecallAt10.Name
	var rows [][]string
	for _, m := range d.truth.Metrics {
		if m.Metric != metric {
			continue
		}
		for _, t := range m.Terms {
			size := "null"
			if !t.Null {
				c := largest(t.Contrasts)
				size = fmt.Sprintf("%+.3f (%s)", c.Difference, strings.Join(c.Levels, ", "))
			}
			rows = append(rows, []string{strings.Join(t.Factors, " × ") + " on " + metric, size, "table 2", d.holm(metric, t.Factors)})
		}
	}
	return rows
}

// largest is the contrast with the largest difference.
func largest(list []simulate.ContrastTruth) simulate.ContrastTruth {
	best := list[0]
	for _, c := range list[1:] {
		if max(c.Difference, -c.Difference) > max(best.Difference, -best.Difference) {
			best = c
		}
	}
	return best
}

// holm is the adjusted p that table 2 prints for a term, in either order of its
// factors.
func (d *demonstration) holm(metric string, factors []string) string {
	columns := make([]string, len(factors))
	for i, name := range factors {
		for _, f := range d.dataset.Lineage.Factors {
			if f.Name == name {
				columns[i] = f.Column
			}
		}
	}
	turned := []string{columns[len(columns)-1], columns[0]}
	for _, g := range d.grids {
		for _, c := range g.Columns {
			for _, order := range [][]string{columns, turned[:len(columns)]} {
				if cell, ok := g.At(tables.RowKey(metric, strings.Join(order, ":"), ""), c.Key); ok && c.Key == "p_holm" {
					return "Holm p " + c.Print(cell)
				}
			}
		}
	}
	return ""
}

// faults are the planted faults with the count that the dataset came to.
func (d *demonstration) faults(ctx context.Context) ([][]string, error) {
	excluded, err := d.counts(ctx, "SELECT excluded_by, count(*) FROM runs GROUP BY 1")
	if err != nil {
		return nil, err
	}
	// A directory that is no run has more faults than the one that counts.
	found, err := d.counts(ctx, `SELECT code, coalesce(nullif(count(DISTINCT raw_path) FILTER (raw_path IN (SELECT raw_path FROM runs)), 0),
		count(DISTINCT raw_path)) FROM findings GROUP BY 1`)
	if err != nil {
		return nil, err
	}
	missing, err := d.counts(ctx, "SELECT metric || ' ' || reason, count(*) FROM missing GROUP BY 1")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, f := range d.truth.Faults {
		row := []string{f.Doc, fmt.Sprintf("%d %s", f.Count, plural(f.Unit, f.Count))}
		reason, isExcluded := f.Excluded.Get()
		code, isFound := f.Finding.Get()
		switch {
		case isExcluded:
			row = append(row, "table 7, exclusion "+reason, fmt.Sprintf("%d runs", excluded[reason]))
		case isFound:
			row = append(row, "finding "+code, fmt.Sprintf("%d directories", found[code]))
		case len(f.Missing) > 0:
			m := f.Missing[0]
			row = append(row, "missing "+m.Metric+", "+m.Reason, fmt.Sprintf("%d runs", missing[m.Metric+" "+m.Reason]))
		default:
			row = append(row, "table 7, absent", fmt.Sprintf("%d, with those that no manifest names", d.summary.Counts.Absent))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// counts runs a query of a name and a count.
func (d *demonstration) counts(ctx context.Context, query string) (map[string]int64, error) {
	res, err := d.db.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	n := map[string]int64{}
	for _, row := range res.Rows {
		n[row[0].Text] = row[1].Int
	}
	return n, nil
}

// demoNext prints steps that can be copied.
func (a *app) demoNext(ctx context.Context, out string, demo *demonstration) error {
	res, err := demo.db.Query(ctx, "SELECT arm FROM included ORDER BY arm LIMIT 1")
	if err != nil {
		return err
	}
	arm := res.Rows[0][0].Text
	res, err = demo.db.Query(ctx, "SELECT raw_path FROM included WHERE raw_path NOT IN (SELECT raw_path FROM findings) ORDER BY raw_path LIMIT 1")
	if err != nil {
		return err
	}
	raw := filepath.Join(out, demoRaw)
	victim := filepath.Join(raw, filepath.FromSlash(res.Rows[0][0].Text), schema.TrajectoryFile)
	data := shellQuote(filepath.Join(out, demoData))
	a.next("less "+shellQuote(filepath.Join(out, demoTables, "2.md"))+"     (and .tex, .csv, .json, .html; seven tables)",
		"assay explain "+data+" 4 --row "+shellQuote(arm)+" --col resolved_at_1     (the runs behind a cell, with file and line)",
		"assay findings "+data+" --code "+schema.SeqGap.Name,
		"assay sql "+data+` "SELECT excluded_by, count(*) FROM runs GROUP BY 1"`,
		"break a file by hand: echo '{' >> "+shellQuote(victim)+" && "+a.program+" validate "+shellQuote(raw))
	return nil
}

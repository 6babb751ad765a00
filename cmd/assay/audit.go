package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// auditOptions are the flags of assay audit.
type auditOptions struct {
	checks []string
	faults string
	list   bool
}

func auditCommand(a *app) *cobra.Command {
	var o auditOptions
	c := &cobra.Command{
		Use:   "audit DATA",
		Short: "Was the apparatus working? Accounting, confounds, arms in which nothing happened",
		Long: `Asks what makes published numbers meaningless: runs that are lost between plan and table, arms in
which no model or tool was called, factors that never acted, settings outside the treatment that differ between
arms, totals that do not add up, metrics that are known of some runs only. Every line carries its counts. A check that
had nothing to look at is open: it has neither passed nor found something. Exits 3 where a check found something.`,
		Example: `  assay audit data
  assay audit data --check confounds,coverage
  assay audit --list`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runAudit(c.Context(), a, args, o) },
	}
	c.Flags().StringSliceVar(&o.checks, "check", nil, "only these checks, by name")
	c.Flags().StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	c.Flags().BoolVar(&o.list, "list", false, "list the checks with what they mean")
	return c
}

func runAudit(ctx context.Context, a *app, args []string, o auditOptions) error {
	checks, err := chooseChecks(o.checks)
	if err != nil {
		return err
	}
	if o.list {
		return a.listChecks(checks)
	}
	if len(args) == 0 {
		return usageError(fmt.Errorf("audit: have no dataset, want one, or --list"))
	}
	if err := checkFaults(o.faults); err != nil {
		return err
	}
	d, db, err := openDataset(ctx, args[0], o.faults, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	seen, err := tables.Audit(ctx, db, apparatus(d), checks)
	if err != nil {
		return err
	}
	if err := a.printAudit(d, checks, seen); err != nil {
		return err
	}
	a.next("assay audit --list              (what each check means)",
		"assay explain "+shellQuote(args[0])+" 7         (the runs behind failures and exclusions)")
	return foundSomething(seen)
}

// foundSomething ends with "not clean" where a check found more than a fact.
func foundSomething(seen []tables.Observation) error {
	for _, o := range seen {
		if o.Severity() != schema.SeverityInfo {
			return notClean()
		}
	}
	return nil
}

func chooseChecks(names []string) ([]tables.Check, error) {
	all := tables.Checks()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []tables.Check
	for _, name := range names {
		i := slices.IndexFunc(all, func(c tables.Check) bool { return c.Name == name })
		if i < 0 {
			return nil, usageError(fmt.Errorf("--check: have %q, want one of %s", name, strings.Join(checkNames(all), ", ")))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func checkNames(list []tables.Check) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

// apparatus is what the dataset's plans say of its factors and settings.
func apparatus(d *dataset.Dataset) tables.Apparatus {
	var out tables.Apparatus
	for _, f := range d.Lineage.Factors {
		out.Factors = append(out.Factors, apparatusFactor(f, d.Lineage.Experiments))
	}
	for _, e := range d.Lineage.Experiments {
		if e.Plan != nil {
			out.Comparable = append(out.Comparable, e.Plan.Comparable...)
		}
	}
	slices.Sort(out.Comparable)
	out.Comparable = slices.Compact(out.Comparable)
	return out
}

// apparatusFactor joins what all plans say of a factor.
func apparatusFactor(f dataset.Factor, experiments []dataset.Experiment) tables.ApparatusFactor {
	out := tables.ApparatusFactor{Name: f.Name, Column: f.Column}
	for _, e := range experiments {
		if e.Plan == nil {
			continue
		}
		for _, planned := range e.Plan.Factors {
			if planned.Name == f.Name {
				out.Reference = studyFactor(planned).Reference
				out.ActsThrough = append(out.ActsThrough, planned.Value.ActsThrough...)
			}
		}
	}
	slices.Sort(out.ActsThrough)
	out.ActsThrough = slices.Compact(out.ActsThrough)
	return out
}

package main

import (
	"fmt"
	"strings"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/tables"
)

// auditJSON is an audit for programs.
type auditJSON struct {
	// DatasetID is the dataset.
	DatasetID string `json:"dataset_id"`
	// Checks has one entry a check, in order.
	Checks []checkJSON `json:"checks"`
}

// A checkJSON is one check with what it saw.
type checkJSON struct {
	// Name is the check.
	Name string `json:"name"`
	// Title is the question.
	Title string `json:"title"`
	// Means says what a finding means.
	Means string `json:"means"`
	// Severity is that of its findings.
	Severity schema.Severity `json:"severity"`
	// Found counts the findings.
	Found int `json:"found"`
	// Observations are findings and facts.
	Observations []observationJSON `json:"observations"`
}

// An observationJSON is one line of a check.
type observationJSON struct {
	// Severity is info for a fact.
	Severity schema.Severity `json:"severity"`
	// Subject is what it is about.
	Subject string `json:"subject"`
	// Text says it.
	Text string `json:"text"`
	// Numerator and Denominator are the counts behind it.
	Numerator   schema.Opt[int64] `json:"numerator"`
	Denominator schema.Opt[int64] `json:"denominator"`
}

func checkForPrograms(c tables.Check) checkJSON {
	return checkJSON{Name: c.Name, Title: c.Title, Means: c.Doc, Severity: c.Severity, Observations: []observationJSON{}}
}

func (a *app) printAudit(d *dataset.Dataset, checks []tables.Check, seen []tables.Observation) error {
	report := auditJSON{DatasetID: d.Lineage.DatasetID}
	for _, c := range checks {
		j := checkForPrograms(c)
		for _, o := range seen {
			if o.Check.Name != c.Name {
				continue
			}
			if o.Found {
				j.Found++
			}
			j.Observations = append(j.Observations, observationJSON{o.Severity(), o.Subject, o.Text, o.Numerator, o.Denominator})
		}
		report.Checks = append(report.Checks, j)
	}
	if a.json {
		return a.printJSON(report)
	}
	a.printAuditText(report)
	return nil
}

func (a *app) printAuditText(r auditJSON) {
	findings, failed := 0, 0
	for _, c := range r.Checks {
		mark := "ok"
		if c.Found > 0 && c.Severity != schema.SeverityInfo {
			mark = string(c.Severity)
			findings += c.Found
			failed++
		}
		fmt.Fprintf(a.out, "%-8s %-20s %s\n", mark, c.Name, c.Title)
		for _, o := range c.Observations {
			lead := "         "
			if o.Severity != schema.SeverityInfo {
				lead = "       ! "
			}
			fmt.Fprintf(a.out, "%s%s: %s\n", lead, strings.Map(visible, o.Subject), strings.Map(visible, o.Text))
		}
	}
	fmt.Fprintf(a.out, "\ndataset %s: %d checks, %d of them found something (%d findings)\n", r.DatasetID, len(r.Checks), failed, findings)
}

func (a *app) listChecks(checks []tables.Check) error {
	var list []checkJSON
	for _, c := range checks {
		list = append(list, checkForPrograms(c))
	}
	if a.json {
		return a.printJSON(list)
	}
	for _, c := range list {
		fmt.Fprintf(a.out, "%s (%s): %s\n  where not: %s\n", c.Name, c.Severity, c.Title, c.Means)
	}
	return nil
}

package main

import (
	"fmt"
	"slices"
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
	// Open is true where there was nothing to ask, so that the check has not passed.
	Open bool `json:"open"`
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
			j.Open = j.Open || o.Open
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
	findings, failed, open := 0, 0, 0
	for _, c := range r.Checks {
		mark := "ok"
		switch {
		case c.Found > 0 && c.Severity != schema.SeverityInfo:
			mark = string(c.Severity)
			findings += c.Found
			failed++
		case c.Open:
			mark = "open"
			open++
		}
		fmt.Fprintf(a.out, "%-8s %-20s %s\n", mark, c.Name, c.Title)
		a.printObservations(c)
	}
	fmt.Fprintf(a.out, "\ndataset %s: %s, %d of them found something (%s)", r.DatasetID, counted(len(r.Checks), "check"), failed, counted(findings, "finding"))
	if open > 0 {
		fmt.Fprintf(a.out, ", %d had nothing to ask", open)
	}
	fmt.Fprintln(a.out)
}

// shownObservations is how many lines a check prints; all of them stand in the JSON.
const shownObservations = 30

// groupedAbove is the number of lines above which those with the same text become one.
const groupedAbove = 12

// printObservations prints a line an observation, or where there are many, a line
// for each different text with those that it is true of.
func (a *app) printObservations(c checkJSON) {
	type key struct {
		severity schema.Severity
		text     string
	}
	subjects := map[key][]string{}
	var order []key
	for _, o := range c.Observations {
		k := key{o.Severity, o.Text}
		if len(c.Observations) <= groupedAbove {
			k.text = o.Subject + ": " + o.Text
		}
		if subjects[k] == nil {
			order = append(order, k)
		}
		subjects[k] = append(subjects[k], o.Subject)
	}
	// What was found stands before what is merely known.
	slices.SortStableFunc(order, func(a, b key) int {
		return slices.Index(severities, a.severity) - slices.Index(severities, b.severity)
	})
	for i, k := range order {
		if i == shownObservations {
			fmt.Fprintf(a.out, "         … %d more lines; --json has all\n", len(order)-i)
			return
		}
		lead := "         "
		if k.severity != schema.SeverityInfo {
			lead = "       ! "
		}
		names := subjects[k]
		who := strings.Join(names[:min(len(names), 2)], "; ")
		if len(names) > 2 {
			who += fmt.Sprintf("; and %d more", len(names)-2)
		}
		text := k.text
		if len(c.Observations) > groupedAbove {
			text = who + ": " + text
		}
		fmt.Fprintln(a.out, lead+strings.Map(visible, text))
	}
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

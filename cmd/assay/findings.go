package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// findingsOptions are the flags of assay findings.
type findingsOptions struct {
	deriveOptions
	codes    []string
	severity string
	limit    int
}

func findingsCommand(a *app) *cobra.Command {
	var o findingsOptions
	c := &cobra.Command{
		Use:   "findings DATA or RAW...",
		Short: "The list behind every count of findings and exclusions, with file and line",
		Long: `Lists every finding of a dataset, or of run directories that are read for it, one a line: place,
severity, code, what stands there and what is wanted. Reasons for exclusion that are no fault of bytes (an extra
run, a rule of the plan, infrastructure) stand among them. Exits 3 where one listed is an error or a warning.`,
		Example: `  assay findings data
  assay findings data --code seq_gap
  assay findings raw --severity error --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runFindings(c.Context(), a, args, o) },
	}
	o.flags(c)
	c.Flags().StringSliceVar(&o.codes, "code", nil, "only findings of these codes")
	c.Flags().StringVar(&o.severity, "severity", "", "only findings at least as severe as error, warning or info")
	c.Flags().IntVar(&o.limit, "limit", 0, "list at most that many; 0 lists all")
	return c
}

// severities lists the severities, worst first.
var severities = []schema.Severity{schema.SeverityError, schema.SeverityWarning, schema.SeverityInfo}

func (o *findingsOptions) check() error {
	if o.severity != "" && !slices.Contains(severities, schema.Severity(o.severity)) {
		return usageError(fmt.Errorf("--severity: have %q, want error, warning or info", o.severity))
	}
	for _, code := range o.codes {
		_, known := schema.FindingCodeByName(code)
		if !known && !strings.HasPrefix(code, schema.ExclusionRulePrefix) {
			return usageError(fmt.Errorf("--code: have %q, want a code that assay describe finding or assay describe exclusion lists", code))
		}
	}
	return nil
}

// A findingEntry is one line of the list, as programs read it.
type findingEntry struct {
	// Severity is what it costs.
	Severity schema.Severity `json:"severity"`
	// Code is what is wrong.
	Code string `json:"code"`
	// RunID is the run, where the directory could be identified.
	RunID string `json:"run_id,omitzero"`
	// Path is the run directory, relative to its root.
	Path string `json:"path"`
	// File is the file in it.
	File string `json:"file,omitzero"`
	// Line and Column are the place in the file, from 1.
	Line   int64 `json:"line,omitzero"`
	Column int64 `json:"column,omitzero"`
	// Pointer is the JSON pointer of the value.
	Pointer string `json:"pointer,omitzero"`
	// Have is what stands there, redacted.
	Have string `json:"have,omitzero"`
	// Want is what the contract asks for.
	Want string `json:"want,omitzero"`
}

// A findingList gathers what passes the filters. Text is printed as it comes.
type findingList struct {
	app     *app
	o       findingsOptions
	entries []findingEntry
	seen    int
	bad     bool
}

func (l *findingList) add(e findingEntry) {
	if len(l.o.codes) > 0 && !slices.Contains(l.o.codes, e.Code) {
		return
	}
	if l.o.severity != "" && slices.Index(severities, e.Severity) > slices.Index(severities, schema.Severity(l.o.severity)) {
		return
	}
	l.seen++
	l.bad = l.bad || e.Severity != schema.SeverityInfo
	switch {
	case l.o.limit > 0 && l.seen > l.o.limit:
	case l.app.json:
		l.entries = append(l.entries, e)
	default:
		fmt.Fprintln(l.app.out, strings.Map(visible, findingLine(e.finding())))
	}
}

// finding is the entry as the line printer takes it.
func (e findingEntry) finding() schema.Finding {
	return schema.Finding{Code: &schema.FindingCode{Name: e.Code}, Severity: e.Severity, RunPath: e.Path, RunID: e.RunID, File: e.File,
		Line: e.Line, Column: e.Column, Pointer: e.Pointer, Have: e.Have, Want: e.Want}
}

func runFindings(ctx context.Context, a *app, args []string, o findingsOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	l := &findingList{app: a, o: o, entries: []findingEntry{}}
	read := l.readRaw
	if len(args) == 1 && holdsDataset(args[0]) {
		read = l.readDataset
	}
	if err := read(ctx, args); err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(l.entries); err != nil {
			return err
		}
	} else if shown := min(l.seen, max(o.limit, 0)); o.limit > 0 && shown < l.seen {
		a.say("%d of %d findings listed; --limit 0 lists all", shown, l.seen)
	} else {
		a.say("%d findings", l.seen)
	}
	if l.seen > 0 {
		a.next("assay describe finding CODE      (what a code means)")
	}
	if l.bad {
		return notClean()
	}
	return nil
}

// holdsDataset tells a dataset, or a folder of them, from run directories.
func holdsDataset(path string) bool {
	if _, err := dataset.ReadLineage(path); err == nil {
		return true
	}
	list, err := dataset.List(path)
	return err == nil && len(list) > 0
}

func (l *findingList) readRaw(ctx context.Context, roots []string) error {
	p := l.app.newProgress()
	defer p.end()
	opts, err := l.o.pipelineOptions(p)
	if err != nil {
		return err
	}
	_, err = pipeline.Validate(ctx, roots, opts, func(list []schema.Finding, reasons []schema.ExclusionRow) error {
		for _, f := range list {
			// The reader reuses the memory behind these texts.
			l.add(findingEntry{f.Severity, f.Code.Name, strings.Clone(f.RunID), strings.Clone(f.RunPath), strings.Clone(f.File), f.Line, f.Column,
				strings.Clone(f.Pointer), strings.Clone(f.Have), strings.Clone(f.Want)})
		}
		for _, x := range reasons {
			if !slices.ContainsFunc(list, func(f schema.Finding) bool { return f.RunPath == x.RawPath && f.Code.Name == x.Reason }) {
				l.add(reasonEntry(x))
			}
		}
		return nil
	})
	return err
}

// reasonEntry is a reason for leaving a directory out that is no fault of bytes.
func reasonEntry(x schema.ExclusionRow) findingEntry {
	severity := schema.SeverityInfo
	if x.Class == schema.ClassExcluded {
		severity = schema.SeverityError
	}
	return findingEntry{Severity: severity, Code: strings.Clone(x.Reason), RunID: strings.Clone(x.RunID.Or("")), Path: strings.Clone(x.RawPath),
		File: strings.Clone(x.File.Or("")), Line: x.Line.Or(0), Have: strings.Clone(x.Have.Or(""))}
}

// findingsQuery is every finding, then every exclusion that has none of its own.
const findingsQuery = `
SELECT severity, code, coalesce(run_id, ''), raw_path, coalesce(file, ''), coalesce(line, 0), coalesce(byte_column, 0), coalesce(pointer, ''), coalesce(have, ''), coalesce(want, ''), place
FROM findings
UNION ALL
SELECT CASE class WHEN 'excluded' THEN 'error' ELSE 'info' END, reason, coalesce(run_id, ''), raw_path, coalesce(file, ''), coalesce(line, 0), 0, '', coalesce(have, ''), '', 1000000 + place
FROM exclusions x WHERE NOT EXISTS (SELECT 1 FROM findings f WHERE f.raw_path = x.raw_path AND f.code = x.reason)
ORDER BY 3, 4, 11`

func (l *findingList) readDataset(ctx context.Context, args []string) error {
	_, db, err := openDataset(ctx, args[0], "", duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Each(ctx, findingsQuery, func([]duck.Column) error { return nil }, func(v []duck.Value) error {
		l.add(findingEntry{schema.Severity(v[0].Text), v[1].Text, v[2].Text, v[3].Text, v[4].Text, v[5].Int, v[6].Int, v[7].Text, v[8].Text, v[9].Text})
		return nil
	})
}

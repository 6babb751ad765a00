package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// deriveOptions are the flags of derive and validate.
type deriveOptions struct {
	out              string
	workers          int
	excludeConflicts bool
	strictSecrets    bool
}

func (o *deriveOptions) flags(c *cobra.Command) {
	c.Flags().IntVar(&o.workers, "workers", 0, "runs read at once (default: one a processor); changes no byte of the result")
	c.Flags().BoolVar(&o.excludeConflicts, "exclude-conflicts", false, "exclude directories that hold different bytes under one run id, instead of refusing them")
	c.Flags().BoolVar(&o.strictSecrets, "strict-secrets", false, "exclude runs that hold text which looks like a secret")
}

func deriveCommand(a *app) *cobra.Command {
	var o deriveOptions
	c := &cobra.Command{
		Use:   "derive RAW... -o DATA",
		Short: "Make a dataset from run directories",
		Long: `Reads every run directory below RAW, checks every event against the contract, and
writes a dataset of Parquet files with lineage to the line into DATA/<dataset id>. The same
input gives the same bytes. Faulty runs are excluded with their reason and counted; nothing is dropped.`,
		Example: `  assay derive raw -o data
  assay derive results/raw more/raw -o data --workers 2`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runDerive(c.Context(), a, args, o) },
	}
	o.flags(c)
	c.Flags().StringVarP(&o.out, "out", "o", "data", "the folder that gets the dataset")
	return c
}

// pipelineOptions completes the flags with what the program knows.
func (o deriveOptions) pipelineOptions(p *progress) (pipeline.Options, error) {
	created, err := pipeline.CreationTime()
	if err != nil {
		return pipeline.Options{}, err
	}
	revision, err := pipeline.CodeRevision()
	if err != nil {
		return pipeline.Options{}, err
	}
	return pipeline.Options{
		Options:      dataset.Options{ExcludeConflicts: o.excludeConflicts, StrictSecrets: o.strictSecrets},
		Workers:      o.workers,
		CodeRevision: revision,
		CreatedAt:    created,
		Progress:     func(now pipeline.Progress) { p.at(now.Stage, now.Done, now.Total) },
	}, nil
}

func runDerive(ctx context.Context, a *app, roots []string, o deriveOptions) error {
	defer collectOften()()
	p := a.newProgress()
	opts, err := o.pipelineOptions(p)
	if err != nil {
		return err
	}
	s, err := pipeline.Derive(ctx, roots, o.out, opts)
	p.end()
	if err != nil {
		return err
	}
	if err := a.printSummary(s); err != nil {
		return err
	}
	q := shellQuote(o.out)
	steps := []string{"assay tables " + q, "assay sql " + q + ` "SELECT * FROM included LIMIT 5"`}
	if !s.Clean() {
		steps = append([]string{"assay findings " + q + "     (what was found, with file and line)"}, steps...)
	}
	a.next(steps...)
	if !s.Clean() {
		return notClean()
	}
	return nil
}

// summaryJSON is the summary for programs.
type summaryJSON struct {
	// Dir is the dataset's folder.
	Dir string `json:"dir,omitempty"`
	// DatasetID is the dataset's id.
	DatasetID string `json:"dataset_id,omitempty"`
	// Counts are the numbers of the accounting.
	Counts dataset.Counts `json:"counts"`
	// Inferred is how many of the planned cells no plan named.
	Inferred int64 `json:"inferred"`
	// Findings counts findings by code.
	Findings []findingCount `json:"findings"`
	// Excluded counts excluded runs by reason.
	Excluded []reasonCount `json:"excluded"`
	// Rows is the number of rows of all tables.
	Rows int64 `json:"rows"`
	// InputBytes is the size of the files read.
	InputBytes int64 `json:"input_bytes"`
}

// A findingCount is a code with its number of findings.
type findingCount struct {
	// Code is the finding code.
	Code string `json:"code"`
	// Severity is what it costs.
	Severity schema.Severity `json:"severity"`
	// Count is the number of findings.
	Count int64 `json:"count"`
}

// A reasonCount is a reason with its number of runs.
type reasonCount struct {
	// Reason is the exclusion reason.
	Reason string `json:"reason"`
	// Count is the number of runs.
	Count int64 `json:"count"`
}

func (a *app) printSummary(s *pipeline.Summary) error {
	if a.json {
		j := summaryJSON{Dir: s.Dir, DatasetID: s.DatasetID, Counts: s.Counts, Inferred: s.Inferred, Rows: s.Rows, InputBytes: s.InputBytes,
			Findings: []findingCount{}, Excluded: []reasonCount{}}
		for _, f := range s.Findings {
			j.Findings = append(j.Findings, findingCount{f.Code.Name, f.Severity, f.Count})
		}
		for _, e := range s.Excluded {
			j.Excluded = append(j.Excluded, reasonCount{e.Reason, e.Count})
		}
		return a.printJSON(j)
	}
	printSummaryText(a.out, s)
	return nil
}

func printSummaryText(w io.Writer, s *pipeline.Summary) {
	n := s.Counts
	if s.DatasetID != "" {
		fmt.Fprintf(w, "dataset      %s\n", s.DatasetID)
		fmt.Fprintf(w, "folder       %s\n", s.Dir)
	}
	fmt.Fprintf(w, "directories  %d = %d runs + %d copies + %d superseded + %d unidentified\n", n.Directories, n.Runs, n.Copies, n.Superseded, n.Unidentified)
	fmt.Fprintf(w, "runs         %d = %d included + %d excluded\n", n.Runs, n.Included, n.Excluded)
	fmt.Fprintf(w, "planned      %d + %d unplanned = %d runs + %d absent - %d extra\n", n.Planned, n.Unplanned, n.Runs, n.Absent, n.Extra)
	if s.Inferred > 0 {
		fmt.Fprintf(w, "inferred     %d of the planned cells: no experiment.json names their arms, tasks and repetitions\n", s.Inferred)
	}
	fmt.Fprintf(w, "read         %s, %d rows\n", bytesText(s.InputBytes), s.Rows)
	for _, e := range s.Excluded {
		fmt.Fprintf(w, "excluded     %6d  %s\n", e.Count, e.Reason)
	}
	for _, f := range s.Findings {
		fmt.Fprintf(w, "%-7s      %6d  %s: %s\n", f.Severity, f.Count, f.Code.Name, f.Code.Doc)
	}
}

package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A sink writes the rows of runs, in their order, to one file a table.
type sink struct {
	dir   string
	files []*tableFile

	runs       *dataset.Writer[schema.RunRow]
	queries    *dataset.Writer[schema.QueryRow]
	candidates *dataset.Writer[schema.CandidateRow]
	modelCalls *dataset.Writer[schema.ModelCallRow]
	toolCalls  *dataset.Writer[schema.ToolCallRow]
	fileReads  *dataset.Writer[schema.FileReadRow]
	edits      *dataset.Writer[schema.EditRow]
	testRuns   *dataset.Writer[schema.TestRunRow]
	samples    *dataset.Writer[schema.ResourceSampleRow]
	scores     *dataset.Writer[schema.ScoreRow]
	missing    *dataset.Writer[schema.MissingRow]
	exclusions *dataset.Writer[schema.ExclusionRow]
	findings   *dataset.Writer[schema.FindingRow]
}

// A tableFile is a table that is being written.
type tableFile struct {
	table *schema.Table
	file  *os.File
	rows  func() int64
	close func() error
}

func newSink(dir string, factors []dataset.Factor) (*sink, error) {
	s := &sink{dir: dir}
	var errs []error
	runExtras := append(
		dataset.ValueExtras(schema.LevelRun, func(r *schema.RunRow) []schema.Value { return r.Values }),
		dataset.FactorExtras(factors, func(r *schema.RunRow) schema.Members[schema.Scalar] { return r.Treatment })...)
	queryExtras := dataset.ValueExtras(schema.LevelQuery, func(r *schema.QueryRow) []schema.Value { return r.Values })
	s.runs = openTable(s, &errs, &schema.TableRuns, runExtras...)
	s.queries = openTable(s, &errs, &schema.TableQueries, queryExtras...)
	s.candidates = openTable[schema.CandidateRow](s, &errs, &schema.TableCandidates)
	s.modelCalls = openTable[schema.ModelCallRow](s, &errs, &schema.TableModelCalls)
	s.toolCalls = openTable[schema.ToolCallRow](s, &errs, &schema.TableToolCalls)
	s.fileReads = openTable[schema.FileReadRow](s, &errs, &schema.TableFileReads)
	s.edits = openTable[schema.EditRow](s, &errs, &schema.TableEdits)
	s.testRuns = openTable[schema.TestRunRow](s, &errs, &schema.TableTestRuns)
	s.samples = openTable[schema.ResourceSampleRow](s, &errs, &schema.TableResourceSamples)
	s.scores = openTable[schema.ScoreRow](s, &errs, &schema.TableScores)
	s.missing = openTable[schema.MissingRow](s, &errs, &schema.TableMissing)
	s.exclusions = openTable[schema.ExclusionRow](s, &errs, &schema.TableExclusions)
	s.findings = openTable[schema.FindingRow](s, &errs, &schema.TableFindings)
	if err := errors.Join(errs...); err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// openTable creates the file of a table in the sink's folder.
func openTable[Row any](s *sink, errs *[]error, t *schema.Table, extra ...dataset.Extra[Row]) *dataset.Writer[Row] {
	f, err := os.OpenFile(filepath.Join(s.dir, t.Name+parquetSuffix), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		*errs = append(*errs, err)
		return nil
	}
	w := dataset.NewWriter(f, t, extra...)
	s.files = append(s.files, &tableFile{table: t, file: f, rows: w.Rows, close: w.Close})
	return w
}

const parquetSuffix = ".parquet"

// add writes the rows of one run.
func (s *sink) add(rows *derive.Rows) error {
	return errors.Join(
		s.runs.Write([]schema.RunRow{rows.Run}),
		s.queries.Write(rows.Queries),
		s.candidates.Write(rows.Candidates),
		s.modelCalls.Write(rows.ModelCalls),
		s.toolCalls.Write(rows.ToolCalls),
		s.fileReads.Write(rows.FileReads),
		s.edits.Write(rows.Edits),
		s.testRuns.Write(rows.TestRuns),
		s.samples.Write(rows.ResourceSamples),
		s.scores.Write(rows.Scores),
		s.missing.Write(rows.Missing),
		s.exclusions.Write(rows.Exclusions),
		s.findings.Write(derive.FindingRows(rows.Findings)),
	)
}

// outside writes what was found of a directory that is no run of its own.
func (s *sink) outside(findings []schema.Finding, rows []schema.ExclusionRow) error {
	return errors.Join(s.findings.Write(derive.FindingRows(findings)), s.exclusions.Write(rows))
}

// close finishes every file, some at once, and returns what each holds.
func (s *sink) close(ctx context.Context, workers int) ([]dataset.File, error) {
	var list []dataset.File
	err := ordered(ctx, workers, len(s.files), func(i int) (dataset.File, error) {
		return s.files[i].finish(s.dir)
	}, func(_ int, f dataset.File) error {
		list = append(list, f)
		return nil
	})
	if err != nil {
		s.abandon()
	}
	return list, err
}

// finish writes what is left of the table and closes its file.
func (f *tableFile) finish(dir string) (dataset.File, error) {
	if err := errors.Join(f.close(), f.file.Close()); err != nil {
		return dataset.File{}, err
	}
	name := f.table.Name + parquetSuffix
	sum, size, err := dataset.HashFile(filepath.Join(dir, name))
	return dataset.File{Path: name, Table: f.table.Name, Rows: f.rows(), Bytes: size, SHA256: sum}, err
}

// abandon closes the files without finishing them.
func (s *sink) abandon() {
	for _, f := range s.files {
		f.file.Close()
	}
}

package pipeline

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// takeOdd writes the directories that are no runs, and what was found outside of
// runs, by path.
func (s *shard) takeOdd(ctx context.Context) error {
	odd := slices.Clone(s.plan.odd)
	slices.SortFunc(odd, func(a, b oddDirectory) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Root, b.Root))
	})
	outside := slices.Clone(s.plan.findings)
	slices.SortStableFunc(outside, func(a, b schema.Finding) int { return strings.Compare(a.RunPath, b.RunPath) })
	reader := ingest.NewReader(ingest.Options{StrictSecrets: s.plan.options.StrictSecrets, MetricNames: metricNames()})
	for len(odd) > 0 || len(outside) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := nextPath(odd, outside)
		var findings []schema.Finding
		var rows []schema.ExclusionRow
		for len(odd) > 0 && odd[0].Path == at {
			found, reasons, err := s.readOdd(reader, odd[0])
			if err != nil {
				return err
			}
			findings, rows, odd = append(findings, found...), append(rows, reasons...), odd[1:]
		}
		for len(outside) > 0 && outside[0].RunPath == at {
			if err := s.addUnread(&outside[0]); err != nil {
				return err
			}
			findings, outside = append(findings, outside[0]), outside[1:]
		}
		for i := range rows {
			rows[i].Place = int64(i + 1)
		}
		s.tally.findings(findings)
		if err := s.out.outside(findings, rows); err != nil {
			return err
		}
	}
	return nil
}

// addUnread lists a link, or a plan that could not be read, among the inputs: that it
// stands there shows in the findings, so it belongs to what the dataset was made from.
func (s *shard) addUnread(f *schema.Finding) error {
	in := dataset.Input{Path: path.Join(f.RunPath, f.File), State: dataset.StateLink, Files: []dataset.InputFile{}}
	switch {
	case f.Code == &schema.LinkNotFollowed:
	case f.Code == &schema.PlanUnreadable && f.Line == 0 && f.Pointer == "":
		in.State, in.Unread = dataset.StateUnread, []dataset.UnreadFile{{Have: f.Have}}
	default:
		return nil
	}
	return s.addInput(in)
}

func nextPath(odd []oddDirectory, outside []schema.Finding) string {
	switch {
	case len(odd) == 0:
		return outside[0].RunPath
	case len(outside) == 0:
		return odd[0].Path
	}
	return min(odd[0].Path, outside[0].RunPath)
}

// readOdd finds out why a directory is no run. One that was set aside is not
// read: the run that repeated it stands for it.
func (s *shard) readOdd(reader *ingest.Reader, dir oddDirectory) ([]schema.Finding, []schema.ExclusionRow, error) {
	if dir.state == dataset.StateSuperseded {
		f := schema.Finding{Code: &schema.Superseded, Severity: schema.Superseded.Severity, RunPath: dir.Path, Have: "an unfinished attempt set aside"}
		rows := []schema.ExclusionRow{{RawPath: dir.Path, Class: schema.ClassSuperseded, Reason: f.Code.Name}}
		return []schema.Finding{f}, rows, s.addInput(dataset.Input{Path: dir.Path, State: dir.state, Files: []dataset.InputFile{}})
	}
	if dir.finding != nil {
		found := []schema.Finding{*dir.finding}
		in := dataset.Input{Path: dir.Path, State: dir.state, Files: []dataset.InputFile{}, Unread: []dataset.UnreadFile{{Have: dir.finding.Have}}}
		return found, unidentifiedRows(dir.Path, found), s.addInput(in)
	}
	read, err := reader.ReadRun(dir.RunDir, nil)
	if err != nil {
		return nil, nil, err
	}
	for i := range read.Findings {
		read.Findings[i].RunPath, read.Findings[i].RunID = dir.Path, ""
	}
	in := dataset.Input{Path: dir.Path, State: dir.state, Files: inputFiles(read.Files), Unread: unreadFiles(read.Findings, read.Files)}
	return read.Findings, unidentifiedRows(dir.Path, read.Findings), s.addInput(in)
}

// unidentifiedRows are the faults of a directory in the order in which they
// count, one row a code.
func unidentifiedRows(path string, findings []schema.Finding) []schema.ExclusionRow {
	var faults []*schema.Finding
	for i := range findings {
		if findings[i].Severity == schema.SeverityError {
			faults = append(faults, &findings[i])
		}
	}
	slices.SortStableFunc(faults, ingest.CompareExcluding)
	var rows []schema.ExclusionRow
	for i, f := range faults {
		if i > 0 && faults[i-1].Code == f.Code {
			continue
		}
		row := derive.FindingRows([]schema.Finding{*f})[0]
		rows = append(rows, schema.ExclusionRow{RawPath: path, Class: schema.ClassUnidentified, Reason: f.Code.Name,
			File: row.File, Line: row.Line, Have: row.Have})
	}
	return rows
}

package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// eventTables are the tables that hold the events of a type.
var eventTables = map[string]string{
	schema.EventModelCall.Name:          schema.TableModelCalls.Name,
	schema.EventToolCall.Name:           schema.TableToolCalls.Name,
	schema.EventRetrievalQuery.Name:     schema.TableQueries.Name,
	schema.EventRetrievalCandidate.Name: schema.TableCandidates.Name,
	schema.EventFileRead.Name:           schema.TableFileReads.Name,
	schema.EventEdit.Name:               schema.TableEdits.Name,
	schema.EventTestRun.Name:            schema.TableTestRuns.Name,
	schema.EventResourceSample.Name:     schema.TableResourceSamples.Name,
}

// eventLines are the first and last line of the events that a metric reads, a
// run each, as "first-last"; of one run alone where its id is given.
func eventLines(ctx context.Context, db *duck.DB, of, only string) (map[string]string, error) {
	m, ok := runMetric(of)
	if !ok {
		return nil, nil
	}
	var parts []string
	for _, name := range m.Reads {
		if table, ok := eventTables[name]; ok {
			parts = append(parts, "SELECT run_id, line FROM "+table)
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	where := ""
	if only != "" {
		where = " WHERE run_id = " + quoteText(only)
	}
	res, err := db.Query(ctx, "SELECT run_id, min(line), max(line) FROM ("+strings.Join(parts, " UNION ALL ")+")"+where+" GROUP BY run_id")
	if err != nil {
		return nil, err
	}
	lines := make(map[string]string, len(res.Rows))
	for _, row := range res.Rows {
		lines[row[0].Text] = lineRange(row[1].String(), row[2].String())
	}
	return lines, nil
}

func lineRange(first, last string) string {
	if first == last {
		return first
	}
	return first + "-" + last
}

// manifestColumns are the columns of runs that the manifest alone says, and that a
// table shows.
var manifestColumns = []string{"repo_files", "repo_lines"}

// evidence names the raw file and line that decided a run's value.
func evidence(of, by, path, trajectory, started, finished, events string) string {
	m, ok := runMetric(of)
	switch {
	case !ok && slices.Contains(manifestColumns, of):
		return place(path, schema.DocumentManifest.File, "")
	case !ok:
		return place(path, trajectory, started)
	}
	testResults := slices.Contains(m.Reads, schema.DocumentTestResults.Name)
	switch {
	case testResults && (by == "tests" || by == "test_results"):
		return place(path, schema.DocumentTestResults.File, "")
	case by == "totals" || by == "outcome" || by == "fault":
		return place(path, trajectory, finished)
	case events != "":
		return place(path, trajectory, events)
	case slices.Contains(m.Reads, schema.EventRunFinished.Name):
		return place(path, trajectory, finished)
	}
	return place(path, trajectory, started)
}

// place is a file and a line in it as compilers print them.
func place(path, file, line string) string {
	out := path
	if file != "" {
		out = fmt.Sprintf("%s/%s", path, file)
	}
	if line != "" && file != "" {
		out += ":" + line
	}
	return out
}

package derive

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/golden"
	"github.com/assay-bench/assay/schema"
)

// One run with everything in it, to its rows. Where a column is NULL it is left out.
func TestGoldenRun(t *testing.T) {
	rows := wholeTrace().derive()
	var b strings.Builder
	dump(&b, &schema.TableRuns, []schema.RunRow{rows.Run}, func(r *schema.RunRow) []schema.Value { return r.Values })
	dump(&b, &schema.TableQueries, rows.Queries, func(r *schema.QueryRow) []schema.Value { return r.Values })
	dump(&b, &schema.TableCandidates, rows.Candidates, nil)
	dump(&b, &schema.TableModelCalls, rows.ModelCalls, nil)
	dump(&b, &schema.TableToolCalls, rows.ToolCalls, nil)
	dump(&b, &schema.TableFileReads, rows.FileReads, nil)
	dump(&b, &schema.TableEdits, rows.Edits, nil)
	dump(&b, &schema.TableTestRuns, rows.TestRuns, nil)
	dump(&b, &schema.TableResourceSamples, rows.ResourceSamples, nil)
	dump(&b, &schema.TableScores, rows.Scores, nil)
	dump(&b, &schema.TableMissing, rows.Missing, nil)
	dump(&b, &schema.TableExclusions, rows.Exclusions, nil)
	dump(&b, &schema.TableFindings, FindingRows(rows.Findings), nil)
	golden.Compare(t, "run.txt", []byte(b.String()))
}

// dump prints the rows of a table, a value a line.
func dump[T any](b *strings.Builder, table *schema.Table, rows []T, values func(*T) []schema.Value) {
	columns := table.Columns()
	for i := range rows {
		fmt.Fprintf(b, "%s %d\n", table.Name, i+1)
		cells := fieldValues(reflect.ValueOf(rows[i]))
		for c, text := range cells {
			if text != "null" {
				fmt.Fprintf(b, "  %s %s\n", columns[c].Name, text)
			}
		}
		if values == nil {
			continue
		}
		for c, v := range values(&rows[i]) {
			if text := show(v); text != "null" {
				fmt.Fprintf(b, "  %s %s\n", schema.ValueColumns(table.Values)[c].Name, text)
			}
		}
	}
}

// fieldValues prints the columns of a row struct, in order.
func fieldValues(v reflect.Value) []string {
	var out []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous:
			out = append(out, fieldValues(v.Field(i))...)
		case f.Tag.Get("col") != "":
			out = append(out, cell(v.Field(i).Interface()))
		}
	}
	return out
}

func cell(v any) string {
	switch v := v.(type) {
	case schema.Opt[string]:
		return optional(v)
	case schema.Opt[int64]:
		return optional(v)
	case schema.Opt[float64]:
		return optional(v)
	case schema.Opt[bool]:
		return optional(v)
	case schema.Opt[schema.Time]:
		return optional(v)
	case schema.Opt[schema.USD]:
		return optional(v)
	}
	return fmt.Sprint(v)
}

func optional[T any](o schema.Opt[T]) string {
	if v, ok := o.Get(); ok {
		return fmt.Sprint(v)
	}
	return "null"
}

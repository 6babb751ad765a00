package dataset

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// interopPython names a Python with pyarrow, polars and duckdb; make interop
// sets it.
const interopPython = "ASSAY_INTEROP_PYTHON"

// TestInterop reads every type with pyarrow, polars and DuckDB for Python, and
// compares the values with those written.
func TestInterop(t *testing.T) {
	python := os.Getenv(interopPython)
	if python == "" {
		t.Skip("reading with pyarrow and polars needs " + interopPython + "; make interop sets it")
	}
	path := writeFile(t, []string{"key"}, extremes)
	var want strings.Builder
	for _, row := range extremes {
		text, err := json.Marshal(interopRow(row))
		if err != nil {
			t.Fatal(err)
		}
		want.Write(append(text, '\n'))
	}
	expected := filepath.Join(t.TempDir(), "expected.jsonl")
	if err := os.WriteFile(expected, []byte(want.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, filepath.Join("interop", "interop.py"), path, expected).CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// plainRow is a row in the form that interop.py compares.
type plainRow struct {
	Key     int64    `json:"key"`
	Text    string   `json:"text"`
	OptText *string  `json:"opt_text"`
	OptInt  *int64   `json:"opt_int"`
	Double  string   `json:"double"`
	OptDbl  *string  `json:"opt_double"`
	Bool    bool     `json:"bool"`
	OptBool *bool    `json:"opt_bool"`
	TS      *string  `json:"ts"`
	USD     *string  `json:"usd"`
	List    []string `json:"list"`
}

func interopRow(r everyType) plainRow {
	double := func(x float64) string { return fmt.Sprintf("double %016x", math.Float64bits(x)) }
	return plainRow{
		Key: r.Key, Text: r.Text, Bool: r.Bool, List: r.List, Double: double(r.Double),
		OptText: pointer(r.OptText, func(s string) string { return s }),
		OptInt:  pointer(r.OptInt, func(n int64) int64 { return n }),
		OptDbl:  pointer(r.OptDbl, double),
		OptBool: pointer(r.OptBool, func(b bool) bool { return b }),
		TS:      pointer(r.TS, func(t schema.Time) string { return fmt.Sprintf("time %d", int64(t)) }),
		USD:     pointer(r.USD, func(u schema.USD) string { return "decimal " + u.String() }),
	}
}

// pointer is nil for a missing value, as encoding/json wants it.
func pointer[T, U any](o schema.Opt[T], form func(T) U) *U {
	v, ok := o.Get()
	if !ok {
		return nil
	}
	u := form(v)
	return &u
}

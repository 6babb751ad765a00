package stats_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The reference set is a folder of inputs and expected results from R, NIST and
// trec_eval that does not ship with the project. ASSAY_REFERENCE names it; tests
// that need it skip without it, and the committed selections stand in.

// referenceFolder is the folder of the reference set, or the test is skipped.
func referenceFolder(t *testing.T) string {
	return outsideFolder(t, "ASSAY_REFERENCE", "reference")
}

// outsideFolder is the folder that the variable names, or ../shared/NAME beside
// the repository; the test is skipped where it is absent.
func outsideFolder(t *testing.T, variable, name string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(root) == root {
			t.Fatal("no go.mod above the working folder")
		}
		root = filepath.Dir(root)
	}
	folder := os.Getenv(variable)
	if folder == "" {
		folder = filepath.Join("..", "shared", name)
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(root, folder)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the folder %s of %s is not here", name, variable)
	}
	return folder
}

// A refCase is one case of the reference set.
type refCase struct {
	id, note, folder string
	inputs, expected refValue
	rel, abs         float64
}

// eachReferenceCase runs the check as a subtest for every case of a file such as
// "rates/one_sample".
func eachReferenceCase(t *testing.T, file string, check func(t *testing.T, c refCase)) {
	t.Helper()
	path := filepath.Join(referenceFolder(t), filepath.FromSlash(file)+".json")
	doc := readJSON(t, path)
	cases := doc.get("cases").items()
	if len(cases) == 0 {
		t.Fatalf("%s: no cases", file)
	}
	for _, v := range cases {
		c := refCase{
			id: v.get("id").str(), note: v.get("note").str(), folder: filepath.Dir(path),
			inputs: v.get("inputs"), expected: v.get("expected"),
			rel: v.get("tolerance").get("rel").float(), abs: v.get("tolerance").get("abs").float(),
		}
		t.Run(c.id, func(t *testing.T) { check(t, c) })
	}
}

func readJSON(t *testing.T, path string) refValue {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return refValue{v}
}

// check compares a number with the expected value at a path such as
// "wilson.lower", to the tolerance of the case.
func (c refCase) check(t *testing.T, path string, got float64) {
	t.Helper()
	c.checkValue(t, path, c.expected.at(path), got, c.rel, c.abs)
}

// checkP does so for a p-value: to the relative tolerance alone, however small.
func (c refCase) checkP(t *testing.T, path string, got float64) {
	t.Helper()
	c.checkValue(t, path, c.expected.at(path), got, math.Max(c.rel, 1e-13), 0)
}

// checkAll compares a list of numbers.
func (c refCase) checkAll(t *testing.T, path string, got []float64) {
	t.Helper()
	want := c.expected.at(path).items()
	if len(want) != len(got) {
		t.Errorf("%s: %d values, want %d", path, len(got), len(want))
		return
	}
	for i, w := range want {
		c.checkValue(t, path+"["+strconv.Itoa(i)+"]", w, got[i], c.rel, c.abs)
	}
}

func (c refCase) checkValue(t *testing.T, path string, w refValue, got, rel, abs float64) {
	t.Helper()
	if !w.present() {
		t.Errorf("%s: the case has no number there", path)
		return
	}
	if want := w.float(); !near(got, want, rel, abs) {
		t.Errorf("%s: got %.17g, want %.17g (relative difference %.1e, allowed %.1e)", path, got, want, got/want-1, rel)
	}
}

// near is the rule of the reference set: |got-want| <= abs + rel |want|, and
// equality of what is not finite.
func near(got, want, rel, abs float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	if got == want {
		return true
	}
	return math.Abs(got-want) <= abs+rel*math.Abs(want)
}

// A refValue is a value of the reference set's JSON.
type refValue struct{ v any }

// present reports whether there is a value other than null.
func (r refValue) present() bool { return r.v != nil }

// get is the value of a key, absent where there is none.
func (r refValue) get(key string) refValue {
	m, _ := r.v.(map[string]any)
	return refValue{m[key]}
}

// at follows a path of keys separated by dots.
func (r refValue) at(path string) refValue {
	if v := r.get(path); v.present() {
		return v // a key may hold a dot itself
	}
	for _, key := range strings.Split(path, ".") {
		r = r.get(key)
	}
	return r
}

// keys are the keys of an object, in no order.
func (r refValue) keys() []string {
	m, _ := r.v.(map[string]any)
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// float is a number; NaN for null, and for "NaN", "+Inf", "-Inf" what they say.
func (r refValue) float() float64 {
	switch v := r.v.(type) {
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	case string:
		f, err := strconv.ParseFloat(v, 64)
		if err == nil {
			return f
		}
	}
	return math.NaN()
}

func (r refValue) int() int { return int(r.float()) }

func (r refValue) str() string {
	s, _ := r.v.(string)
	return s
}

// items are the elements of a list; a scalar is a list of itself.
func (r refValue) items() []refValue {
	l, isList := r.v.([]any)
	if !isList {
		if r.v == nil {
			return nil
		}
		return []refValue{r}
	}
	out := make([]refValue, len(l))
	for i, v := range l {
		out[i] = refValue{v}
	}
	return out
}

func (r refValue) floats() []float64 {
	var out []float64
	for _, v := range r.items() {
		out = append(out, v.float())
	}
	return out
}

func (r refValue) ints() []int {
	var out []int
	for _, v := range r.items() {
		out = append(out, v.int())
	}
	return out
}

func (r refValue) strs() []string {
	var out []string
	for _, v := range r.items() {
		out = append(out, v.str())
	}
	return out
}

// A refTable is a CSV file of the reference set, by column.
type refTable struct {
	columns []string
	text    map[string][]string
	// levels holds the order of the levels of the columns that are factors.
	levels map[string][]string
}

// readTable reads the CSV at a path relative to the case, and the file of
// levels beside it where there is one.
func (c refCase) readTable(t *testing.T, relative string) refTable {
	t.Helper()
	return readTable(t, filepath.Join(c.folder, filepath.FromSlash(relative)))
}

func readTable(t *testing.T, path string) refTable {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	table := refTable{columns: rows[0], text: map[string][]string{}, levels: map[string][]string{}}
	for j, name := range rows[0] {
		for _, row := range rows[1:] {
			table.text[name] = append(table.text[name], row[j])
		}
	}
	if levels := strings.TrimSuffix(path, ".csv") + ".levels.json"; fileExists(levels) {
		doc := readJSON(t, levels)
		for _, k := range doc.keys() {
			table.levels[k] = doc.get(k).strs()
		}
	}
	return table
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// floats is a column as numbers; NA is NaN.
func (r refTable) floats(t *testing.T, column string) []float64 {
	t.Helper()
	text, ok := r.text[column]
	if !ok {
		t.Fatalf("no column %s among %v", column, r.columns)
	}
	out := make([]float64, len(text))
	for i, s := range text {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

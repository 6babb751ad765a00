package stats

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// modelCase is one case of the reference set for a model.
type modelCase struct {
	ID        string
	Inputs    map[string]any
	Expected  map[string]any
	Tolerance struct{ Rel, Abs float64 }
	Exact     *struct{ Rel, Abs float64 } `json:"tolerance_vs_exact"`

	folder string
}

// modelFolder finds an outside set: the folder named by env, else ../shared/NAME
// beside the repository's root.
func modelFolder(t *testing.T, env, name string) string {
	t.Helper()
	dir := os.Getenv(env)
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not here; set %s to its folder to run this test", name, env)
	}
	return dir
}

// modelCases reads the cases of TOPIC/FILE of the reference set.
func modelCases(t *testing.T, topic, file string) []modelCase {
	t.Helper()
	folder := filepath.Join(modelFolder(t, "ASSAY_REFERENCE", "reference"), topic)
	raw, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Cases []modelCase }
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for i := range doc.Cases {
		doc.Cases[i].folder = folder
	}
	return doc.Cases
}

// eachModelCase runs check on every case as a subtest.
func eachModelCase(t *testing.T, topic, file string, check func(t *testing.T, c modelCase)) {
	t.Helper()
	for _, c := range modelCases(t, topic, file) {
		t.Run(c.ID, func(t *testing.T) { check(t, c) })
	}
}

func (c modelCase) text(key string) string {
	s, _ := c.Inputs[key].(string)
	return s
}

// modelTable is a CSV file by column, with its factor levels.
type modelTable struct {
	columns map[string][]string
	order   []string
	levels  map[string][]string
	rows    int
}

// table reads the case's data with the levels of its side file and its own.
func (c modelCase) table(t *testing.T) *modelTable {
	t.Helper()
	tab := readModelTable(t, filepath.Join(c.folder, c.text("data")))
	for _, key := range []string{"factor_levels", "factors"} {
		if own, ok := c.Inputs[key].(map[string]any); ok {
			for name, v := range own {
				tab.levels[name] = texts(v)
			}
		}
	}
	return tab
}

func readModelTable(t *testing.T, path string) *modelTable {
	t.Helper()
	raw, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	records, err := csv.NewReader(raw).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tab := &modelTable{columns: map[string][]string{}, levels: map[string][]string{}, order: records[0], rows: len(records) - 1}
	for j, name := range records[0] {
		for _, r := range records[1:] {
			tab.columns[name] = append(tab.columns[name], r[j])
		}
	}
	side, err := os.ReadFile(strings.TrimSuffix(path, ".csv") + ".levels.json")
	if err == nil {
		if err := json.Unmarshal(side, &tab.levels); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

// keep leaves the rows where ok holds.
func (m *modelTable) keep(ok func(row int) bool) {
	out := map[string][]string{}
	n := 0
	for i := range m.rows {
		if !ok(i) {
			continue
		}
		n++
		for name, v := range m.columns {
			out[name] = append(out[name], v[i])
		}
	}
	m.columns, m.rows = out, n
}

// numbers parses a column; NA is NaN.
func (m *modelTable) numbers(name string) []float64 {
	out := make([]float64, m.rows)
	for i, s := range m.columns[name] {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

// factor codes a column by its levels, sorted where none are given.
func (m *modelTable) factor(name string) Factor {
	levels := m.levels[name]
	if levels == nil {
		for _, v := range m.columns[name] {
			if v != "NA" && !slices.Contains(levels, v) {
				levels = append(levels, v)
			}
		}
		slices.Sort(levels)
	}
	return NewFactor(name, m.columns[name], levels)
}

// isFactor reports whether a column is categorical: it has levels, or a value that is no number.
func (m *modelTable) isFactor(name string) bool {
	if m.levels[name] != nil {
		return true
	}
	for _, v := range m.columns[name] {
		if _, err := strconv.ParseFloat(v, 64); err != nil && v != "NA" {
			return true
		}
	}
	return false
}

// frame holds the named columns; factor(x) makes a factor of a number.
func (m *modelTable) frame(names ...string) Frame {
	var f Frame
	for _, name := range names {
		if inner, ok := strings.CutPrefix(name, "factor("); ok {
			inner = strings.TrimSuffix(inner, ")")
			g := m.factor(inner)
			g.Name = name
			f.Factors = append(f.Factors, g)
		} else if m.isFactor(name) {
			f.Factors = append(f.Factors, m.factor(name))
		} else {
			f.Covariates = append(f.Covariates, Covariate{Name: name, Values: m.numbers(name)})
		}
	}
	return f
}

// modelFormula reads `y ~ a * b + c` into response, terms and intercept.
func modelFormula(s string) (response string, terms []Term, intercept bool) {
	left, right, _ := strings.Cut(s, "~")
	intercept = true
	add := func(t Term) {
		for _, u := range terms {
			if len(u) == len(t) && u.contains(t) {
				return
			}
		}
		terms = append(terms, t)
	}
	for _, part := range splitTop(right) {
		part = strings.TrimSpace(part)
		switch {
		case part == "1":
		case part == "0":
			intercept = false
		case strings.HasSuffix(part, ")^2"):
			var names []string
			for _, n := range strings.Split(strings.TrimSuffix(part[1:], ")^2"), "+") {
				names = append(names, strings.TrimSpace(n))
			}
			for _, t := range Crossed(names, 2) {
				add(t)
			}
		case strings.Contains(part, "*"):
			var names []string
			for _, n := range strings.Split(part, "*") {
				names = append(names, strings.TrimSpace(n))
			}
			for _, t := range Crossed(names, len(names)) {
				add(t)
			}
		default:
			var t Term
			for _, n := range strings.Split(part, ":") {
				t = append(t, strings.TrimSpace(n))
			}
			add(t)
		}
	}
	return strings.TrimSpace(left), terms, intercept
}

// splitTop splits at plus signs outside brackets.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case '+':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

func termNames(terms []Term) []string {
	var out []string
	for _, t := range terms {
		for _, n := range t {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// design builds the design and response of a formula over a table; rows with a
// missing response or weight are left out.
func (m *modelTable) design(t *testing.T, formula string, coding Coding, weights string) (d *Design, y, w []float64) {
	t.Helper()
	response, terms, intercept := modelFormula(formula)
	all := m.numbers(response)
	keep := make([]bool, len(all))
	for i, v := range all {
		keep[i] = !math.IsNaN(v)
	}
	d, err := NewDesign(m.frame(termNames(terms)...), Model{Terms: terms, NoIntercept: !intercept, Coding: coding}, keep)
	if err != nil {
		t.Fatal(err)
	}
	if weights != "" {
		w = d.Pick(m.numbers(weights))
	}
	return d, d.Pick(all), w
}

var modelCodings = map[string]Coding{"treatment": TreatmentCoding, "sum": SumCoding, "helmert": HelmertCoding}

// at walks into an expected value by keys.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

// texts reads a list of strings; a single string is a list of one.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		out := make([]string, len(v))
		for i, x := range v {
			out[i] = fmt.Sprint(x)
		}
		return out
	}
	return nil
}

// number reads an expected number; ok is false for null and "NaN".
func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		switch v {
		case "+Inf":
			return math.Inf(1), true
		case "-Inf":
			return math.Inf(-1), true
		}
	case []any:
		if len(v) == 1 {
			return number(v[0])
		}
	}
	return 0, false
}

// modelList reads a list; a single value is a list of one.
func modelList(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	if v == nil {
		return nil
	}
	return []any{v}
}

// close checks one number against the case's tolerance. A null expects a reason.
func (c modelCase) close(t *testing.T, what string, want any, got float64, reason Reason) {
	t.Helper()
	c.closeAt(t, what, want, got, reason, c.Tolerance.Rel, c.Tolerance.Abs)
}

func (c modelCase) closeAt(t *testing.T, what string, want any, got float64, reason Reason, rel, abs float64) {
	t.Helper()
	w, ok := number(want)
	switch {
	case !ok && reason == "":
		t.Errorf("%s: have %v, want none with a reason", what, got)
	case !ok:
	case reason != "":
		t.Errorf("%s: have none (%s), want %v", what, reason, w)
	case !(math.Abs(got-w) <= abs+rel*math.Abs(w)):
		t.Errorf("%s: have %.15g, want %.15g (off by %.2g of it)", what, got, w, math.Abs(got-w)/math.Abs(w))
	}
}

// matrix checks a row-major matrix.
func (c modelCase) matrix(t *testing.T, what string, want any, got [][]float64) {
	t.Helper()
	rows := modelList(at(want, "values"))
	if len(rows) != len(got) {
		t.Errorf("%s: have %d rows, want %d", what, len(got), len(rows))
		return
	}
	scale := 0.0
	for i := range rows {
		w, _ := number(modelList(rows[i])[i])
		scale = max(scale, math.Abs(w))
	}
	for i := range rows {
		for j, w := range modelList(rows[i]) {
			// An entry that is zero in exact arithmetic is rounding noise in R:
			// an error below 1e-13 of the two variances' size is no difference.
			noise := 1e-13 * math.Sqrt(math.Abs(got[i][i]*got[j][j]))
			c.closeAt(t, fmt.Sprintf("%s[%d][%d]", what, i, j), w, got[i][j], "", c.Tolerance.Rel, c.Tolerance.Abs+noise)
		}
	}
}

// coefficients checks a table of estimates by term name.
func (c modelCase) coefficients(t *testing.T, want any, got []Coefficient, errorKey, statisticKey string) {
	t.Helper()
	find := map[string]Coefficient{}
	for _, g := range got {
		find[g.Name] = g
	}
	for i, term := range texts(at(want, "term")) {
		g, ok := find[term]
		if !ok {
			t.Errorf("coefficient %s: missing", term)
			continue
		}
		pick := func(key string) any { return modelList(at(want, key))[i] }
		why := g.Reason
		c.close(t, term+" estimate", pick("estimate"), g.Estimate, why)
		if why == "" {
			why = g.Uncertain
		}
		c.close(t, term+" error", pick(errorKey), g.StdErr, why)
		c.close(t, term+" statistic", pick(statisticKey), g.Statistic, why)
		// R's glm stops at a relative change of 1e-8 of the deviance, which leaves 1.5e-7
		// of the p of race1 in birthwt_interaction_sum; all others meet the plain rule.
		c.closeAt(t, term+" p", pick("p"), g.P, why, 2*c.Tolerance.Rel, 0)
	}
}

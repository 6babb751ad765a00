package duck

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var factorialColumns = []outColumn{
	{"line", duckdb.TYPE_BIGINT}, {"kind", duckdb.TYPE_VARCHAR}, {"term", duckdb.TYPE_VARCHAR}, {"level", duckdb.TYPE_VARCHAR}, {"reference", duckdb.TYPE_VARCHAR},
	{"df1", duckdb.TYPE_DOUBLE}, {"df2", duckdb.TYPE_DOUBLE}, {"statistic", duckdb.TYPE_DOUBLE},
	{"p", duckdb.TYPE_DOUBLE}, {"p_holm", duckdb.TYPE_DOUBLE}, {"holm_tests", duckdb.TYPE_BIGINT}, {"partial_eta_sq", duckdb.TYPE_DOUBLE},
	{"mean", duckdb.TYPE_DOUBLE}, {"estimate", duckdb.TYPE_DOUBLE}, {"se", duckdb.TYPE_DOUBLE}, {"low", duckdb.TYPE_DOUBLE}, {"high", duckdb.TYPE_DOUBLE},
	{"detectable", duckdb.TYPE_DOUBLE},
	{"runs", duckdb.TYPE_BIGINT}, {"level_runs", duckdb.TYPE_BIGINT}, {"tasks", duckdb.TYPE_BIGINT}, {"dropped", duckdb.TYPE_BIGINT},
	{"method", duckdb.TYPE_VARCHAR}, {"why", duckdb.TYPE_VARCHAR}, {"empty_cells", duckdb.TYPE_VARCHAR},
	{"lr_statistic", duckdb.TYPE_DOUBLE}, {"lr_p", duckdb.TYPE_DOUBLE}, {"interval", duckdb.TYPE_VARCHAR},
}

var factorialFunction = Function{
	Name: "factorial", Kind: "table",
	Arguments: "query, options: response= factors=column,… [block=task_id] [cluster=the block] [degree=2] [level=0.95] [reference=column:level,…] [method=ols, lmm, rm or logistic]",
	Returns:   "line, kind (term or level), term, level, reference, df1, df2, statistic, p, p_holm, holm_tests, partial_eta_sq, mean, estimate, se, low, high, detectable, runs, level_runs, tasks, dropped, method, why, empty_cells, lr_statistic, lr_p, interval",
	Doc:       "Main effects and interactions of a factorial experiment: least squares in effect coding with the task as fixed block, CR2 errors by cluster, HTZ F for terms and Satterthwaite t for differences of level means (Pustejovsky and Tipton, JBES 36, 2018), partial eta squared from type III sums. A 0/1 response gives risk differences. Where a response between 0 and 1 has fewer than 12 effective successes or failures at a level, the limits of a difference are the outer of t's and the hybrid score's (Zou and Donner, Statistics in Medicine 27, 2008); interval names them, and with fewer than 12 tasks the p is the larger of both. A term over an empty cell has no numbers and names the cell. method=lmm takes block and cluster as random intercepts (REML, Satterthwaite), rm is a repeated-measures analysis by block, logistic gives log odds ratios without blocks, likelihood ratio tests in lr_p, and falls back to Firth's penalty where the response is separated.",
	Example:   "SELECT * FROM factorial('SELECT * FROM included', 'response=file_recall_at_10 factors=factor_retriever,factor_packing')",
	register: func(db *DB, conn *sql.Conn) error {
		return tableFunc{"factorial", factorialColumns, factorial}.register(db, conn)
	},
}

func factorial(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	o, err := parseOptions("factorial", text, "response", "factors", "block", "cluster", "degree", "level", "reference", "method")
	if err != nil {
		return nil, err
	}
	f, err := db.frame(ctx, "factorial", query)
	if err != nil {
		return nil, err
	}
	if _, ok := o.values["factors"]; !ok {
		_, err := o.required("factors")
		return nil, err
	}
	if len(o.list("factors")) == 0 || f.rows == 0 {
		return nil, nil
	}
	design, err := readDesign(f, o)
	if err != nil {
		return nil, err
	}
	method, err := stats.ParseFactorialMethod(o.text("method", stats.MethodOLS.String()))
	if err != nil {
		return nil, fmt.Errorf("factorial: option %w", err)
	}
	if method == stats.MethodLogistic {
		for _, y := range design.Response {
			if y != 0 && y != 1 && !math.IsNaN(y) {
				return nil, fmt.Errorf("factorial: method logistic: have response %v, want 0, 1 or NULL", y)
			}
		}
	}
	result, err := stats.ReportedFactorial(design, method)
	if err != nil {
		return nil, fmt.Errorf("factorial: %w", err)
	}
	return factorialRows(design, result), nil
}

func readDesign(f *frame, o options) (stats.FactorialDesign, error) {
	var d stats.FactorialDesign
	response, err := o.required("response")
	if err != nil {
		return d, err
	}
	if d.Response, err = f.numbers(response); err != nil {
		return d, err
	}
	if d.Factors, err = readFactors(f, o); err != nil {
		return d, err
	}
	if block := o.text("block", "task_id"); block != "none" {
		values, null, err := f.texts(block)
		if err != nil {
			return d, err
		}
		d.Block = codes(values, null)
	}
	if cluster := o.text("cluster", ""); cluster != "" {
		values, null, err := f.texts(cluster)
		if err != nil {
			return d, err
		}
		d.Cluster = codes(values, null)
	}
	degree, err := o.integer("degree", 2)
	if err != nil {
		return d, err
	}
	d.Degree = int(degree)
	d.Level, err = o.share("level", defaultLevel)
	return d, err
}

// readFactors codes the factors, the reference level first.
func readFactors(f *frame, o options) ([]stats.Factor, error) {
	references, err := readReferences(o)
	if err != nil {
		return nil, err
	}
	var out []stats.Factor
	for _, name := range o.list("factors") {
		values, null, err := f.texts(name)
		if err != nil {
			return nil, err
		}
		levels := distinct(values, null)
		if ref, ok := references[name]; ok {
			if levels, err = referenceFirst(name, levels, ref); err != nil {
				return nil, err
			}
		}
		factor := stats.NewFactor(name, values, levels)
		for i := range null {
			if null[i] {
				factor.Codes[i] = -1
			}
		}
		out = append(out, factor)
	}
	return out, nil
}

// readReferences reads column:level,…; a comma that no column of factors or others
// follows belongs to the level before it.
func readReferences(o options) (map[string]string, error) {
	factors := append(o.list("factors"), o.list("others")...)
	references := map[string]string{}
	last := ""
	for _, piece := range o.list("reference") {
		name, level, ok := strings.Cut(piece, ":")
		switch {
		case ok && slices.Contains(factors, name):
			references[name], last = level, name
		case last != "":
			references[last] += "," + piece
		case !ok:
			return nil, fmt.Errorf("%s: option reference: have %q, want column:level", o.function, piece)
		}
	}
	return references, nil
}

func referenceFirst(name string, levels []string, ref string) ([]string, error) {
	out := []string{ref}
	for _, l := range levels {
		if l != ref {
			out = append(out, l)
		}
	}
	if len(out) != len(levels) {
		return nil, fmt.Errorf("factorial: option reference: have %s:%s, want one of the levels %v", name, ref, levels)
	}
	return out, nil
}

// factorialRows lists the terms, and behind each main effect its levels.
func factorialRows(d stats.FactorialDesign, r *stats.Factorial) [][]any {
	var rows [][]any
	method := methodText(r)
	if !r.Reason.OK() {
		return numberLines([][]any{factorialRow("none", map[string]any{"why": string(r.Reason), "runs": int64(r.N), "dropped": int64(r.Dropped), "method": method})})
	}
	base := map[string]any{"runs": int64(r.N), "tasks": int64(r.Clusters), "dropped": int64(r.Dropped), "method": method}
	for _, t := range r.Terms {
		rows = append(rows, factorialRow("term", base, termCells(r, t)))
		for _, m := range r.Means {
			if m.Factor == t.Name {
				rows = append(rows, factorialRow("level", base, levelCells(d, r, m)))
			}
		}
	}
	return numberLines(rows)
}

// methodText names the method of an analysis with what a reader must know of it.
func methodText(r *stats.Factorial) string {
	text := ""
	switch r.Method {
	case stats.MethodOLS:
		text = "OLS, effect coding, CR2 by cluster, HTZ"
	case stats.MethodMixed:
		text = "linear mixed model, REML, Satterthwaite"
	case stats.MethodRepeated:
		text = "repeated-measures ANOVA by block, Greenhouse-Geisser"
	case stats.MethodLogistic:
		text = "logistic regression, log odds ratios, CR2 by cluster, HTZ"
	}
	return strings.Join(append([]string{text}, r.Notes...), "; ")
}

// numberLines numbers the rows from 1, so that a query can keep their order.
func numberLines(rows [][]any) [][]any {
	for i := range rows {
		rows[i][0] = int64(i + 1)
	}
	return rows
}

func termCells(r *stats.Factorial, t stats.FactorialTerm) map[string]any {
	ok := t.Reason.OK() && t.Test.Reason.OK()
	lr := r.Method == stats.MethodLogistic && t.LikelihoodRatio.Reason.OK() && t.Reason.OK()
	return map[string]any{"term": t.Name, "lr_statistic": finite(t.LikelihoodRatio.Statistic, lr), "lr_p": finite(t.LikelihoodRatio.P, lr), "df1": finite(t.Test.DF1, ok), "df2": finite(t.Test.DF2, ok), "statistic": finite(t.Test.Statistic, ok),
		"p": finite(t.Test.P, ok), "p_holm": finite(t.PHolm, ok), "holm_tests": int64(r.HolmTests),
		"partial_eta_sq": finite(t.PartialEtaSq.Value, t.Reason.OK() && t.PartialEtaSq.Reason.OK()),
		"why":            words(firstReason(t.Reason, t.Test.Reason)), "empty_cells": words(strings.Join(t.EmptyCells, "; "))}
}

func levelCells(d stats.FactorialDesign, r *stats.Factorial, m stats.FactorialLevel) map[string]any {
	cells := map[string]any{"term": m.Factor, "level": m.Level, "reference": reference(d, m.Factor), "mean": finite(m.Mean.Estimate, m.Mean.Reason.OK()),
		"why": words(m.Mean.Reason), "empty_cells": words(strings.Join(m.EmptyCells, "; ")), "level_runs": levelRuns(d, m)}
	for _, c := range r.Contrasts {
		if c.Factor != m.Factor || c.Level != m.Level || c.Reference != reference(d, m.Factor) {
			continue
		}
		e := c.Difference
		ok := e.Reason.OK() && e.Uncertain.OK()
		cells["estimate"], cells["se"] = finite(e.Estimate, e.Reason.OK()), finite(e.StdErr, ok)
		cells["low"], cells["high"] = finite(e.CI.Low, ok), finite(e.CI.High, ok)
		cells["df2"], cells["statistic"], cells["p"] = finite(e.DF, ok), finite(e.Statistic, ok), finite(e.P, ok)
		cells["detectable"] = finite(stats.DetectableByT(e.StdErr, e.DF), ok && e.StdErr > 0)
		if ok {
			cells["interval"] = words(e.CI.Method)
		}
		cells["why"] = words(firstReason(e.Reason, e.Uncertain))
	}
	return cells
}

func reference(d stats.FactorialDesign, factor string) string {
	for _, f := range d.Factors {
		if f.Name == factor && len(f.Levels) > 0 {
			return f.Levels[0]
		}
	}
	return ""
}

func levelRuns(d stats.FactorialDesign, m stats.FactorialLevel) any {
	n := int64(0)
	for _, f := range d.Factors {
		if f.Name != m.Factor {
			continue
		}
		for i, c := range f.Codes {
			if c >= 0 && f.Levels[c] == m.Level && !math.IsNaN(d.Response[i]) {
				n++
			}
		}
	}
	return n
}

// factorialRow puts named cells into the order of the columns.
func factorialRow(kind string, parts ...map[string]any) []any {
	row := make([]any, len(factorialColumns))
	for i, c := range factorialColumns {
		for _, p := range parts {
			if v, ok := p[c.name]; ok {
				row[i] = v
			}
		}
	}
	row[1] = kind
	return row
}

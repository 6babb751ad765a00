package duck

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"github.com/duckdb/duckdb-go/v2"
)

var ablationsFunction = Function{
	Name: "ablations", Kind: "table",
	Arguments: "query, options: response= factors=column,… [others=column,…] [reference=column:level,…] [unit=task_id] [repetition=repetition] [cluster=column] [method=default] [level=0.95] [seed=1] [draws=10000]",
	Returns:   "factor, and the columns of paired: arm is the level, baseline the factor's reference level",
	Doc:       "Each level of each factor against the factor's reference, on runs that are equal in unit, repetition, every other factor and the columns of others. The methods are those of paired; Holm over all comparisons of the call.",
	Example:   "SELECT * FROM ablations('SELECT * FROM included', 'response=file_recall_at_10 factors=factor_retriever,factor_packing')",
	register: func(db *DB, conn *sql.Conn) error {
		columns := append([]outColumn{{"factor", duckdb.TYPE_VARCHAR}}, pairedColumns...)
		return tableFunc{"ablations", columns, ablations}.register(db, conn)
	},
}

func ablations(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	o, err := parseOptions("ablations", text, "response", "factors", "others", "reference", "unit", "repetition", "cluster", "method", "level", "seed", "draws")
	if err != nil {
		return nil, err
	}
	f, err := db.frame(ctx, "ablations", query)
	if err != nil {
		return nil, err
	}
	factors, err := readFactors(f, o)
	if err != nil {
		return nil, err
	}
	var list []comparison
	var names []string
	for _, factor := range factors {
		others := slices.DeleteFunc(append(o.list("factors"), o.list("others")...), func(n string) bool { return n == factor.Name })
		p, err := readAblation(f, o, factor.Name, slices.Compact(slices.Sorted(slices.Values(others))))
		if err != nil {
			return nil, err
		}
		if len(factor.Levels) == 0 {
			continue
		}
		p.baseline = factor.Levels[0]
		for _, level := range factor.Levels[1:] {
			c, err := p.compare(level)
			if err != nil {
				return nil, err
			}
			list, names = append(list, c), append(names, factor.Name)
		}
	}
	rows := pairedRows(list)
	for i := range rows {
		rows[i] = append([]any{names[i]}, rows[i]...)
	}
	return rows, nil
}

// readAblation pairs the runs that differ in one factor.
func readAblation(f *frame, o options, factor string, match []string) (*pairing, error) {
	response, err := o.required("response")
	if err != nil {
		return nil, err
	}
	p := &pairing{function: f.function}
	if p.values, err = f.numbers(response); err != nil {
		return nil, err
	}
	arms, null, err := f.texts(factor)
	if err != nil {
		return nil, err
	}
	p.arms, p.observed = arms, make([]bool, f.rows)
	for i := range p.observed {
		p.observed[i] = !null[i] && !math.IsNaN(p.values[i])
	}
	if err := p.readKeys(f, o, match); err != nil {
		return nil, fmt.Errorf("factor %s: %w", factor, err)
	}
	return p, p.readMethod(o)
}

package tables

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/stats/duck"
)

// Make runs the query of a specification over a dataset and draws its grid.
func Make(ctx context.Context, db *duck.DB, s Spec) (Grid, error) {
	records, err := query(ctx, db, s)
	if err != nil {
		return Grid{}, err
	}
	return s.Draw(records)
}

// query runs the query of a specification.
func query(ctx context.Context, db *duck.DB, s Spec) ([]Record, error) {
	res, err := db.Query(ctx, s.SQL)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", s.Name, err)
	}
	records := make([]Record, len(res.Rows))
	for i, row := range res.Rows {
		records[i] = Record{}
		for j, c := range res.Columns {
			records[i][c.Name] = scalarOf(row[j])
		}
	}
	return records, nil
}

// scalarOf is a value of a query as a cell's part. Lists and structs print as text.
func scalarOf(v duck.Value) Scalar {
	switch v.Kind {
	case duck.Null:
		return Null()
	case duck.Integer:
		return Integer(v.Int)
	case duck.Real:
		return Real(v.Real)
	case duck.Decimal:
		return Fixed(v.Unscaled, v.Scale)
	case duck.Boolean:
		return Truth(v.Bool)
	}
	return String(v.String())
}

// Scalars are the values of a query's row as the cells of a listing.
func Scalars(row []duck.Value) []Scalar {
	out := make([]Scalar, len(row))
	for i, v := range row {
		out[i] = scalarOf(v)
	}
	return out
}

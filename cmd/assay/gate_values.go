package main

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/stats/duck"
)

// openGateSide opens a dataset and finds the arm to compare: the one named, or the only one.
func openGateSide(ctx context.Context, o gateOptions, flag, path, arm string) (gateSide, error) {
	_, db, err := openDataset(ctx, path, o.faults, duck.Options{})
	if err != nil {
		return gateSide{}, err
	}
	s := gateSide{db: db, arm: arm}
	res, err := db.Query(ctx, "SELECT study_primary(), coalesce((SELECT list(DISTINCT arm ORDER BY arm) FROM included), [])")
	if err != nil {
		db.Close()
		return s, err
	}
	s.primary = res.Rows[0][0].Text
	var arms []string
	for _, v := range res.Rows[0][1].Elems {
		arms = append(arms, v.Text)
	}
	switch {
	case len(arms) == 0:
		db.Close()
		return s, &exitError{exitUndecided, fmt.Errorf("cannot decide: %s: have no included run", path)}
	case arm == "" && len(arms) == 1:
		s.arm = arms[0]
	case !slices.Contains(arms, arm):
		db.Close()
		return s, usageError(fmt.Errorf("%s: have %q, want one of the arms of %s:\n  %s", flag, arm, path, strings.Join(arms, "\n  ")))
	}
	return s, nil
}

// values are the means of a metric over the observed runs of each task, as exact fractions. It closes the dataset.
func (s gateSide) values(ctx context.Context, metric string) (map[string]gate.Figure, error) {
	defer s.db.Close()
	byTask := map[string][]gate.Figure{}
	query := fmt.Sprintf("SELECT task_id, %s FROM included WHERE arm = %s AND %s IS NOT NULL ORDER BY run_id", metric, sqlText(s.arm), metric)
	err := s.db.Each(ctx, query, func([]duck.Column) error { return nil }, func(row []duck.Value) error {
		byTask[row[0].Text] = append(byTask[row[0].Text], figureOf(row[1]))
		return nil
	})
	out := map[string]gate.Figure{}
	for task, list := range byTask {
		out[task] = gate.Mean(list)
	}
	return out, err
}

// figureOf is a value as an exact fraction: stored doubles are taken for the simplest fraction that they stand for.
func figureOf(v duck.Value) gate.Figure {
	switch v.Kind {
	case duck.Integer:
		return gate.Fraction(v.Int, 1)
	case duck.Decimal:
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.Scale)), nil)
		return gate.Exact(new(big.Rat).SetFrac(v.Unscaled, scale))
	}
	if n, ok := v.Number(); ok {
		return gate.Nearest(n)
	}
	return gate.Figure{}
}

func pairValues(m gate.Measure, before, now map[string]gate.Figure) gate.Datasets {
	d := gate.Datasets{Measure: m}
	for _, task := range slices.Sorted(maps.Keys(before)) {
		if value, ok := now[task]; ok {
			d.Pairs = append(d.Pairs, gate.Pair{Task: task, Baseline: before[task], Current: value})
		} else {
			d.OnlyBaseline = append(d.OnlyBaseline, task)
		}
	}
	for _, task := range slices.Sorted(maps.Keys(now)) {
		if _, ok := before[task]; !ok {
			d.OnlyCurrent = append(d.OnlyCurrent, task)
		}
	}
	return d
}

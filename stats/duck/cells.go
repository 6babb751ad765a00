package duck

import (
	"math"

	"github.com/assay-bench/assay/stats"
)

// cells are the runs of a query by unit and arm.
type cells struct {
	units, arms []string
	// values[u][a] are the observed runs of an arm on a unit, in the order of the
	// sorted rows.
	values [][][]float64
	// cluster is that of each unit where one was asked for.
	cluster []string
}

// readCells reads response=, arm=, unit= and cluster=.
func readCells(f *frame, o options) (*cells, error) {
	response, err := o.required("response")
	if err != nil {
		return nil, err
	}
	values, err := f.numbers(response)
	if err != nil {
		return nil, err
	}
	armName, err := o.required("arm")
	if err != nil {
		return nil, err
	}
	arms, armNull, err := f.texts(armName)
	if err != nil {
		return nil, err
	}
	units, unitNull, err := f.texts(o.text("unit", "task_id"))
	if err != nil {
		return nil, err
	}
	var clusters []string
	if name := o.text("cluster", ""); name != "" {
		if clusters, _, err = f.texts(name); err != nil {
			return nil, err
		}
	}
	c := &cells{units: distinct(units, unitNull), arms: distinct(arms, armNull)}
	at, armAt := codes(units, unitNull), codes(arms, armNull)
	c.values = make([][][]float64, len(c.units))
	for u := range c.values {
		c.values[u] = make([][]float64, len(c.arms))
	}
	if clusters != nil {
		c.cluster = make([]string, len(c.units))
	}
	for i, v := range values {
		if at[i] < 0 || armAt[i] < 0 || math.IsNaN(v) {
			continue
		}
		c.values[at[i]][armAt[i]] = append(c.values[at[i]][armAt[i]], v)
		if clusters != nil {
			c.cluster[at[i]] = clusters[i]
		}
	}
	return c, nil
}

// means are the mean of every unit and arm, and which of them exist.
func (c *cells) means() (values [][]float64, has [][]bool) {
	values, has = make([][]float64, len(c.arms)), make([][]bool, len(c.arms))
	for a := range c.arms {
		values[a], has[a] = make([]float64, len(c.units)), make([]bool, len(c.units))
		for u := range c.units {
			m, why := stats.Mean(c.values[u][a])
			values[a][u], has[a][u] = m, why.OK()
		}
	}
	return values, has
}

// complete are the unit means by unit and arm of the units that every arm has.
func (c *cells) complete() (rows [][]float64, dropped int) {
	values, has := c.means()
	for u := range c.units {
		row := make([]float64, len(c.arms))
		all := true
		for a := range c.arms {
			row[a] = values[a][u]
			all = all && has[a][u]
		}
		if all {
			rows = append(rows, row)
		} else {
			dropped++
		}
	}
	return rows, dropped
}

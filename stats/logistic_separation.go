package stats

import (
	"encoding/binary"
	"math"
	"slices"
)

// A SeparationReport describes why a logistic model has no maximum likelihood estimate:
// along some direction of the coefficients the likelihood rises for ever.
type SeparationReport struct {
	// Complete reports that every row is fitted perfectly in the limit.
	Complete bool
	// Diverging are the coefficients that go to infinity.
	Diverging []string
	// LimitingDeviance is the infimum of the deviance, which is not reached.
	LimitingDeviance float64
	// Patterns is the number of distinct rows of the design that are fitted
	// perfectly in the limit.
	Patterns int
}

// separate looks for separation. By Stiemke's theorem there is none exactly when
// some strictly positive weights make the signed rows add to zero, which is a
// non-negative least squares problem; its residual is a separating direction.
// Separated rows are taken away until the rest are not separated.
func separate(b binomialRows, names []string) *SeparationReport {
	g, owner := b.collapse()
	rest := make([]int, len(g.success))
	for i := range rest {
		rest[i] = i
	}
	report := &SeparationReport{}
	for len(rest) > 0 {
		beta, away := g.direction(rest)
		if len(away) == 0 {
			break
		}
		slices.Sort(away)
		away = slices.Compact(away)
		report.Patterns += len(away)
		report.diverge(beta, names)
		rest = slices.DeleteFunc(rest, func(i int) bool { return slices.Contains(away, i) })
	}
	if report.Patterns == 0 {
		return nil
	}
	report.Complete = len(rest) == 0
	var rows []int
	for i, o := range owner {
		if slices.Contains(rest, o) {
			rows = append(rows, i)
		}
	}
	report.LimitingDeviance = b.devianceOfRows(rows)
	return report
}

// collapse adds up the rows that have the same columns; owner gives the new row
// of each old one, -1 for a row of no trials.
func (b binomialRows) collapse() (out binomialRows, owner []int) {
	out = binomialRows{x: make([][]float64, len(b.x)), intercept: b.intercept}
	place := map[string]int{}
	var key []byte
	for i, n := range b.trials {
		if n == 0 {
			owner = append(owner, -1)
			continue
		}
		key = key[:0]
		for _, x := range b.x {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x[i]))
		}
		at, seen := place[string(key)]
		if !seen {
			at = len(out.success)
			place[string(key)] = at
			for k, x := range b.x {
				out.x[k] = append(out.x[k], x[i])
			}
			out.success, out.trials = append(out.success, 0), append(out.trials, 0)
		}
		out.success[at] += b.success[i]
		out.trials[at] += n
		owner = append(owner, at)
	}
	return out, owner
}

// diverge adds the coefficients that the direction moves.
func (s *SeparationReport) diverge(beta []float64, names []string) {
	largest := 0.0
	for _, v := range beta {
		largest = max(largest, math.Abs(v))
	}
	for k, v := range beta {
		if math.Abs(v) > 1e-7*largest && !slices.Contains(s.Diverging, names[k]) {
			s.Diverging = append(s.Diverging, names[k])
		}
	}
}

// subset takes some rows of every column.
func (b binomialRows) subset(rows []int) binomialRows {
	out := binomialRows{intercept: b.intercept}
	pick := func(v []float64) []float64 {
		w := make([]float64, len(rows))
		for k, i := range rows {
			w[k] = v[i]
		}
		return w
	}
	for _, x := range b.x {
		out.x = append(out.x, pick(x))
	}
	out.success, out.trials = pick(b.success), pick(b.trials)
	return out
}

// direction finds coefficients that separate some of the rows, in the units of
// the columns, and lists the rows that they separate strictly.
func (b binomialRows) direction(rows []int) (beta []float64, away []int) {
	sub := b.subset(rows)
	qr := factorize(sub.x, nil, b.intercept)
	if qr.rank() == 0 {
		return nil, nil
	}
	var signed [][]float64
	var owner []int
	scale := math.Sqrt(float64(len(rows)))
	add := func(i int, sign float64) {
		v := make([]float64, qr.rank())
		for k, q := range qr.q {
			v[k] = sign * q[i] * scale
		}
		signed, owner = append(signed, v), append(owner, rows[i])
	}
	for i := range rows {
		if sub.success[i] > 0 {
			add(i, 1)
		}
		if sub.success[i] < sub.trials[i] {
			add(i, -1)
		}
	}
	toward := positiveResidual(signed)
	for k, v := range signed {
		if plainDot(v, toward) > 1e-7*math.Sqrt(sumSquares(toward)) {
			away = append(away, owner[k])
		}
	}
	beta = make([]float64, len(b.x))
	for k, v := range qr.solveUpper(toward) {
		beta[qr.kept[k]] = v
	}
	return beta, away
}

// devianceOfRows is the deviance of the best fit to some rows.
func (b binomialRows) devianceOfRows(rows []int) float64 {
	if len(rows) == 0 {
		return 0
	}
	sub := b.subset(rows)
	qr := factorize(sub.x, nil, b.intercept)
	var x [][]float64
	for _, k := range qr.kept {
		x = append(x, sub.x[k])
	}
	sub.x = x
	beta, _, _ := sub.maximize(make([]float64, len(x)), nil)
	return sub.deviance(sub.probabilities(beta, nil))
}

// positiveResidual solves min |sum (1+u_i) a_i| over u >= 0 by Lawson and
// Hanson's active set method (1974, Solving Least Squares Problems, chapter 23)
// and returns the residual, the shortest such sum; it is zero to rounding when
// no direction separates the rows.
func positiveResidual(rows [][]float64) []float64 {
	p := len(rows[0])
	base := make([]float64, p)
	for _, a := range rows {
		for k, v := range a {
			base[k] += v
		}
	}
	size := math.Sqrt(sumSquares(base)) + math.Sqrt(float64(len(rows)))
	var active []int
	weight := map[int]float64{}
	residual := append([]float64(nil), base...)
	for range 20 * (p + 5) {
		next, low := -1, -1e-9*size
		for i, a := range rows {
			if _, in := weight[i]; in {
				continue
			}
			if v := plainDot(a, residual); v < low {
				next, low = i, v
			}
		}
		if next < 0 {
			break
		}
		active, weight[next] = append(active, next), 0
		active = settle(rows, base, active, weight)
		copy(residual, base)
		for _, i := range active {
			for k, v := range rows[i] {
				residual[k] += weight[i] * v
			}
		}
	}
	if math.Sqrt(sumSquares(residual)) < 1e-9*size {
		return make([]float64, p)
	}
	return residual
}

// settle solves for the active weights and drops those that would be negative.
func settle(rows [][]float64, base []float64, active []int, weight map[int]float64) []int {
	for {
		columns := make([][]float64, len(active))
		for k, i := range active {
			columns[k] = rows[i]
		}
		qr := factorize(columns, nil, false)
		minus := make([]float64, len(base))
		for k, v := range base {
			minus[k] = -v
		}
		kept, _ := qr.solve(minus)
		want := make([]float64, len(active))
		for k, j := range qr.kept {
			want[j] = kept[k]
		}
		step, worst := 1.0, -1
		for k, i := range active {
			if want[k] <= 0 {
				if s := weight[i] / (weight[i] - want[k]); worst < 0 || s < step {
					step, worst = s, k
				}
			}
		}
		for k, i := range active {
			weight[i] += step * (want[k] - weight[i])
		}
		if worst < 0 {
			return active
		}
		delete(weight, active[worst])
		active = slices.Delete(active, worst, worst+1)
		if len(active) == 0 {
			return active
		}
	}
}

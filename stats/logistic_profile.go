package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// ProfileIntervals are the profile likelihood intervals of the coefficients of a
// logistic fit, in the order of the design's columns (Venables and Ripley 2002,
// MASS, 8.4). They are more honest than Wald's where the likelihood is skewed.
// A limit that does not exist makes the interval NotConverged.
func (f *LogisticFit) ProfileIntervals(level float64) ([]Interval, []Reason) {
	out, why := make([]Interval, len(f.Design.Columns)), make([]Reason, len(f.Design.Columns))
	for j, c := range f.Coefficients {
		why[j] = c.Reason
	}
	if f.Reason != "" {
		return out, why
	}
	drop := dist.ChiSquaredQuantile(level, 1)
	data, _ := f.data.collapse()
	best := data.kernel(f.beta, nil)
	for k, j := range f.Kept {
		excess := func(value float64, start []float64) (float64, []float64, bool) {
			beta, v, ok := data.constrained(k, value, alongTangent(start, f.Vcov, k, value))
			return 2*(best-v) - drop, beta, ok
		}
		low, okLow := profileLimit(f.beta, k, -f.Coefficients[j].StdErr, excess)
		high, okHigh := profileLimit(f.beta, k, f.Coefficients[j].StdErr, excess)
		out[j] = Interval{Low: low, High: high, Level: level, Method: "profile likelihood"}
		if !okLow || !okHigh {
			why[j] = NotConverged
		}
	}
	return out, why
}

// constrained maximizes the likelihood with coefficient k held at value.
func (b binomialRows) constrained(k int, value float64, start []float64) (beta []float64, kernel float64, ok bool) {
	rest := binomialRows{success: b.success, trials: b.trials}
	offset := make([]float64, len(b.success))
	var from []float64
	for j, x := range b.x {
		if j == k {
			for i, v := range x {
				offset[i] = v * value
			}
			continue
		}
		rest.x, from = append(rest.x, x), append(from, start[j])
	}
	found, _, ok := rest.maximize(from, offset)
	for j := range b.x {
		switch {
		case j == k:
			beta = append(beta, value)
		case j < k:
			beta = append(beta, found[j])
		default:
			beta = append(beta, found[j-1])
		}
	}
	return beta, b.kernel(beta, nil), ok
}

// profileLimit finds where excess crosses zero, walking from the maximum by
// steps of the given sign and then closing in by the Illinois method.
func profileLimit(start []float64, k int, step float64, excess func(float64, []float64) (float64, []float64, bool)) (float64, bool) {
	inside, atInside, beta := start[k], math.Inf(-1), start
	outside, atOutside := inside, 0.0
	for range 60 {
		outside = inside + step
		v, b, ok := excess(outside, beta)
		if !ok { // too far out for the fit to be found: shorter steps
			step /= 4
			continue
		}
		atOutside, beta = v, b
		if v > 0 {
			break
		}
		inside, atInside = outside, v
		step *= 1.5
	}
	if atOutside <= 0 {
		return 0, false
	}
	if math.IsInf(atInside, -1) {
		v, _, ok := excess(inside, beta)
		if !ok {
			return 0, false
		}
		atInside = v
	}
	return closeIn(inside, atInside, outside, atOutside, beta, excess)
}

// closeIn is the Illinois variant of regula falsi on a bracket.
func closeIn(a, fa, b, fb float64, beta []float64, excess func(float64, []float64) (float64, []float64, bool)) (float64, bool) {
	for range 200 {
		c := (a*fb - b*fa) / (fb - fa)
		fc, next, ok := excess(c, beta)
		if !ok {
			return 0, false
		}
		beta = next
		if math.Abs(fc) < 1e-11 || math.Abs(b-a) < 1e-12*math.Abs(b) {
			return c, true
		}
		if (fc > 0) == (fb > 0) {
			b, fb = c, fc
			fa /= 2
		} else {
			a, fa, b, fb = b, fb, c, fc
		}
	}
	return b, true
}

// alongTangent moves coefficient k to value and the others as their covariance
// with it says, which is where the profile goes to first order.
func alongTangent(start []float64, vcov [][]float64, k int, value float64) []float64 {
	out := append([]float64(nil), start...)
	for j := range out {
		out[j] += vcov[j][k] / vcov[k][k] * (value - start[k])
	}
	out[k] = value
	return out
}

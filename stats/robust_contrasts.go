package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A shadow is what one contrast becomes in every cluster.
type shadow struct{ u, z, middle [][]float64 }

func (r *Robust) shadow(c []float64) shadow {
	var s shadow
	for _, part := range r.parts {
		u := apply(part.lift, c)
		z := apply(part.reach, u)
		s.u, s.z, s.middle = append(s.u, u), append(s.z, z), append(s.middle, apply(r.middle, z))
	}
	return s
}

// own is the working covariance of the shares of contrasts s and t in cluster j.
func (r *Robust) own(s, t shadow, j int) float64 { return form(s.u[j], r.parts[j].own, t.u[j]) }

// DF are Satterthwaite's degrees of freedom of the contrast c of the kept
// coefficients, for an identity working model (Bell and McCaffrey 2002).
func (r *Robust) DF(c []float64) float64 {
	s := r.shadow(c)
	trace := 0.0
	for j := range r.parts {
		trace += r.own(s, s, j)
	}
	return 2 * trace * trace / r.entryVariance(s, s)
}

// Identified reports whether the clusters can tell the error of the contrast c.
// CR2 is unbiased under the working model, so the expected shares of the clusters
// add up to the contrast's variance; where one cluster alone determines part of
// it, such as the mean of a stratum of one task, that part is missing from every
// sandwich and a test would reject too often.
func (r *Robust) Identified(c []float64) bool {
	s := r.shadow(c)
	trace := 0.0
	for j := range r.parts {
		trace += r.own(s, s, j)
	}
	return trace > (1-1e-6)*form(c, r.working, c)
}

// mostExtreme is the size of t beyond which an error is rounding, not variation.
const mostExtreme = 1e10

// Contrast estimates c'beta over the kept coefficients, with its cluster-robust
// error and Satterthwaite t. Where every cluster says the same the error is zero
// and the test has the reason NoVariation.
func (r *Robust) Contrast(name string, c []float64, level float64) Coefficient {
	out := Coefficient{Name: name, Estimate: dot(c, r.beta), DF: r.DF(c)}
	out.StdErr = math.Sqrt(max(form(c, r.Vcov, c), 0))
	if out.StdErr <= math.Abs(out.Estimate)/mostExtreme {
		out.StdErr, out.Uncertain = 0, NoVariation
		return out
	}
	out.test(level, "cluster-robust t")
	return out
}

// Coefficients tests every kept coefficient.
func (r *Robust) Coefficients(level float64) []Coefficient {
	out := make([]Coefficient, len(r.beta))
	for k := range out {
		c := make([]float64, len(r.beta))
		c[k] = 1
		out[k] = r.Contrast(r.names[k], c, level)
	}
	return out
}

// Wald tests that the contrasts, one a row over the kept coefficients, are all
// zero, by the approximate Hotelling test HTZ (Pustejovsky and Tipton 2018).
// For one contrast it is the square of the Satterthwaite t. Contrasts that
// depend on each other, or more of them than the clusters can tell apart, make
// it Undefined or TooFew; clusters that all say the same NoVariation.
func (r *Robust) Wald(name string, contrasts [][]float64) TermTest {
	q := len(contrasts)
	est := make([]float64, q)
	v := square(q)
	for s, c := range contrasts {
		est[s] = dot(c, r.beta)
		for t, d := range contrasts {
			v[s][t] = form(c, r.Vcov, d)
		}
	}
	quadratic, ok := quadraticInverse(v, est)
	if !ok {
		return TermTest{Name: name, DF1: float64(q), Reason: r.singular(contrasts)}
	}
	if quadratic > mostExtreme*mostExtreme {
		return TermTest{Name: name, DF1: float64(q), Reason: NoVariation}
	}
	eta, ok := r.hotellingDF(contrasts)
	df := eta - float64(q) + 1
	if !ok || !(df > 0) {
		return TermTest{Name: name, DF1: float64(q), Reason: TooFew}
	}
	return termF(name, df/eta*quadratic/float64(q), float64(q), df)
}

// singular says why contrasts have no joint test: they depend on each other, or the
// clusters are too few to tell them apart, or in one direction no cluster differs.
func (r *Robust) singular(contrasts [][]float64) Reason {
	q := len(contrasts)
	w := square(q)
	for s, c := range contrasts {
		for t, d := range contrasts {
			w[s][t] = form(c, r.working, d)
		}
	}
	if _, ok := cholesky(w); !ok {
		return Undefined
	}
	if r.Clusters <= q {
		return TooFew
	}
	return NoVariation
}

// NaiveWald is the Wald test that takes the covariance as known up to m - 1
// degrees of freedom (F) and wholly (chi-squared); both reject too often with
// few clusters and are there for comparison.
func (r *Robust) NaiveWald(name string, contrasts [][]float64) (f, chi TermTest) {
	q := float64(len(contrasts))
	est, v := make([]float64, len(contrasts)), square(len(contrasts))
	for s, c := range contrasts {
		est[s] = dot(c, r.beta)
		for t, d := range contrasts {
			v[s][t] = form(c, r.Vcov, d)
		}
	}
	quadratic, ok := quadraticInverse(v, est)
	if !ok {
		none := TermTest{Name: name, DF1: q, Reason: Undefined}
		return none, none
	}
	chi = TermTest{Name: name, Statistic: quadratic, DF1: q, DF2: math.Inf(1), P: dist.ChiSquaredSurvival(quadratic, q)}
	return termF(name, quadratic/q, q, float64(r.Clusters-1)), chi
}

// hotellingDF is eta of the HTZ test: q(q+1) over the total variance of the
// entries of the standardized covariance of the contrasts.
func (r *Robust) hotellingDF(contrasts [][]float64) (float64, bool) {
	standard, ok := r.standardized(contrasts)
	if !ok {
		return 0, false
	}
	q := len(contrasts)
	shadows := make([]shadow, q)
	for s, c := range standard {
		shadows[s] = r.shadow(c)
	}
	total := 0.0
	for _, s := range shadows {
		for _, t := range shadows {
			total += r.entryVariance(s, t)
		}
	}
	return float64(q*(q+1)) / total, true
}

// standardized rotates the contrasts so that their working covariance is the identity.
func (r *Robust) standardized(contrasts [][]float64) ([][]float64, bool) {
	omega := square(len(contrasts))
	shadows := make([]shadow, len(contrasts))
	for s, c := range contrasts {
		shadows[s] = r.shadow(c)
	}
	for s := range omega {
		for t := range omega {
			for j := range r.parts {
				omega[s][t] += r.own(shadows[s], shadows[t], j)
			}
		}
	}
	if _, ok := cholesky(omega); !ok {
		return nil, false
	}
	return times(powerOf(omega, -0.5, 0), contrasts), true
}

// pairwiseClusters is the number of clusters up to which sums over pairs of
// clusters are added pair by pair. Beyond it they come from traces, at a cost
// that is linear in the clusters; traces lose digits only where a cluster has its
// own dummies, which many clusters never have here: blocks are absorbed.
const pairwiseClusters = 300

// entryVariance is the variance of entry (s,t) of the standardized covariance:
// the sum over clusters i, j of P_ss P_tt + P_st P_ts.
func (r *Robust) entryVariance(s, t shadow) float64 {
	total := 0.0
	for i := range r.parts {
		ss, tt, st := r.own(s, s, i), r.own(t, t, i), r.own(s, t, i)
		total += ss*tt + st*st
	}
	if len(r.parts) > pairwiseClusters {
		return total + r.pairsByTrace(s, t)
	}
	return total + r.pairsByPair(s, t)
}

// pairsByPair adds the terms of different clusters one by one.
func (r *Robust) pairsByPair(s, t shadow) float64 {
	total := 0.0
	for i := range r.parts {
		for j := range i {
			ss, tt := plainDot(s.z[i], s.middle[j]), plainDot(t.z[i], t.middle[j])
			total += 2 * (ss*tt + plainDot(s.z[i], t.middle[j])*plainDot(t.z[i], s.middle[j]))
		}
	}
	return total
}

// pairsByTrace adds all pairs at once, as traces of products of the sums of the
// clusters' outer products, and takes the pairs of a cluster with itself out.
func (r *Robust) pairsByTrace(s, t shadow) float64 {
	size := len(s.z[0])
	sum := square(size)
	own := 0.0
	for i := range r.parts {
		for a, x := range s.z[i] {
			for b, y := range t.z[i] {
				sum[a][b] += x * y
			}
		}
		st := plainDot(s.z[i], t.middle[i])
		own += plainDot(s.z[i], s.middle[i])*plainDot(t.z[i], t.middle[i]) + st*st
	}
	k, kt := times(r.middle, sum), times(r.middle, transposed(sum))
	return traceOf(k, kt) + traceOf(kt, kt) - own
}

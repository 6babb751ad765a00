package stats

import (
	"encoding/binary"
	"math"
)

// A ClusterKind names a cluster-robust covariance estimator. m is the number of
// clusters, N of rows, p of coefficients. CR1 has several meanings in software;
// these are the names used here.
type ClusterKind int

// The cluster-robust estimators.
const (
	// CR0 is the plain sandwich (Liang and Zeger 1986).
	CR0 ClusterKind = iota
	// CR1 is CR0 times m/(m-1).
	CR1
	// CR1P is CR0 times m/(m-p).
	CR1P
	// CR1S is CR0 times m(N-1)/((m-1)(N-p)), Stata's and statsmodels' default.
	CR1S
	// CR2 is the bias-reduced linearization of Bell and McCaffrey (2002), with an
	// identity working model and the symmetric Moore-Penrose square root.
	CR2
	// CR3 is close to the jackknife over clusters.
	CR3
)

// A Robust is a cluster-robust covariance of the kept coefficients of a fit,
// with what the tests based on it need.
type Robust struct {
	// Kind is the estimator.
	Kind ClusterKind
	// Clusters is the number of clusters, Sizes their numbers of rows.
	Clusters int
	// Sizes are the numbers of rows of the clusters in the order of their codes.
	Sizes []int
	// Vcov is over the kept coefficients.
	Vcov [][]float64

	names   []string
	beta    []float64
	working [][]float64 // covariance under the working model, over sigma squared
	parts   []clusterPart
	middle  [][]float64
	factor  float64
}

// A clusterPart is what one cluster contributes. A contrast c of the
// coefficients becomes u = lift c; then the cluster's share of the contrast's
// error is (u.residual)^2. Under the working model the covariance of the shares
// of a cluster with itself is u'own u, and of clusters i and j z_i' middle z_j
// with z = reach u.
type clusterPart struct {
	lift, own, reach [][]float64
	residual         []float64
}

// rowModel is what the general path needs to know of a fit: weights W and the
// working variances Phi of the rows.
type rowModel struct {
	x         [][]float64 // kept columns
	bread     [][]float64 // (X'WX)^-1
	weights   []float64
	variances []float64
	residuals []float64
}

// ClusterRobust estimates the covariance of a fit's coefficients where rows of
// one cluster depend on each other in any way and clusters do not (Pustejovsky
// and Tipton 2018, JBES 36:672). cluster has one code a kept row, from 0. With
// fewer than two clusters the reason is TooFew. Weights are taken as given
// sampling weights with an identity working model.
func ClusterRobust(fit *LinearFit, cluster []int, kind ClusterKind) (*Robust, Reason) {
	r := &Robust{Kind: kind, beta: fit.beta, names: keptNames(fit.Design, fit.Kept)}
	groups := r.group(cluster)
	if r.Clusters < 2 {
		return nil, TooFew
	}
	if fit.weights == nil {
		r.orthonormal(fit, groups)
	} else {
		r.general(rowModel{x: fit.keptColumns(), bread: fit.unscale, weights: fit.weights,
			variances: constant(len(fit.y), 1), residuals: fit.Residuals}, groups)
	}
	r.scale(fit.N, fit.Rank)
	r.covariance()
	return r, ""
}

// keptNames are the names of the kept columns.
func keptNames(d *Design, kept []int) []string {
	out := make([]string, len(kept))
	for i, j := range kept {
		out[i] = d.Columns[j].Name
	}
	return out
}

// keptColumns are the values of the kept columns.
func (f *LinearFit) keptColumns() [][]float64 {
	out := make([][]float64, len(f.Kept))
	for i, j := range f.Kept {
		out[i] = f.qr.cols[j]
	}
	return out
}

// group lists the rows of each cluster that has one.
func (r *Robust) group(cluster []int) [][]int {
	top := -1
	for _, c := range cluster {
		top = max(top, c)
	}
	all := make([][]int, top+1)
	for i, c := range cluster {
		all[c] = append(all[c], i)
	}
	var groups [][]int
	for _, g := range all {
		if len(g) > 0 {
			groups = append(groups, g)
			r.Sizes = append(r.Sizes, len(g))
		}
	}
	r.Clusters = len(groups)
	return groups
}

// scale is the small-sample factor of the estimator.
func (r *Robust) scale(n, p int) {
	m, rows, coefs := float64(r.Clusters), float64(n), float64(p)
	r.factor = 1
	switch r.Kind {
	case CR1:
		r.factor = m / (m - 1)
	case CR1P:
		r.factor = m / (m - coefs)
	case CR1S:
		r.factor = m * (rows - 1) / ((m - 1) * (rows - coefs))
	}
}

// orthonormal fills the parts in the basis of Q. With unit weights the cluster's
// leverage block is Q_j Q_j', so its powers act on Q_j as powers of I - Q_j'Q_j:
// the cost does not depend on the cluster's size.
func (r *Robust) orthonormal(fit *LinearFit, groups [][]int) {
	p := fit.Rank
	up := square(p) // R^-T, column by column
	for k := range p {
		e := make([]float64, p)
		e[k] = 1
		for i, v := range fit.qr.solveTransposed(e) {
			up[i][k] = v
		}
	}
	r.working = fit.unscale
	r.middle = square(p)
	for k := range p {
		r.middle[k][k] = -1
	}
	grams, residuals := clusterGrams(fit, groups)
	rest := complements(grams)
	r.parts = make([]clusterPart, len(groups))
	for g := range groups {
		lift := up
		if r.Kind == CR2 || r.Kind == CR3 {
			lift = times(powerOf(rest[g], r.power(), 1e-10), up)
		}
		own := times(grams[g], rest[g])
		symmetrize(own)
		r.parts[g] = clusterPart{lift: lift, own: own, reach: grams[g], residual: residuals[g]}
	}
}

// clusterGrams are Q_j'Q_j and Q_j'e_j of every cluster.
func clusterGrams(fit *LinearFit, groups [][]int) (grams [][][]float64, residuals [][]float64) {
	p := fit.Rank
	for _, rows := range groups {
		gram, residual := square(p), make([]float64, p)
		for a, qa := range fit.qr.q {
			for b := a; b < p; b++ {
				var s twofold
				for _, i := range rows {
					s.addProduct(qa[i], fit.qr.q[b][i])
				}
				gram[a][b], gram[b][a] = s.value(), s.value()
			}
			for _, i := range rows {
				residual[a] += qa[i] * fit.Residuals[i]
			}
		}
		grams, residuals = append(grams, gram), append(residuals, residual)
	}
	return grams, residuals
}

// complements are I - grams[j], formed as the sum of all others because the
// matrices add to I: no digits are lost where a cluster has its own dummies.
func complements(grams [][][]float64) [][][]float64 {
	m, p := len(grams), len(grams[0])
	out := make([][][]float64, m)
	before := square(p)
	for j := range m {
		out[j] = addMatrices(before, square(p))
		before = addMatrices(before, grams[j])
	}
	after := square(p)
	for j := m - 1; j >= 0; j-- {
		out[j] = addMatrices(out[j], after)
		after = addMatrices(after, grams[j])
	}
	return out
}

// power is the power of I - H that corrects the residuals.
func (r *Robust) power() float64 {
	if r.Kind == CR3 {
		return -1
	}
	return -0.5
}

// general fills the parts row by row, for any weights and working variances.
func (r *Robust) general(m rowModel, groups [][]int) {
	s := weightedGram(m.x, m.weights, m.variances)
	msm := times(times(m.bread, s), m.bread)
	r.working = msm
	p := len(m.bread)
	r.middle = square(2 * p)
	for i := range p {
		for j := range p {
			r.middle[i][j] = msm[i][j]
			r.middle[i][p+j], r.middle[p+i][j] = -m.bread[i][j], -m.bread[i][j]
		}
	}
	r.parts = make([]clusterPart, len(groups))
	for g, rows := range groups {
		r.parts[g] = r.generalPart(m, msm, rows)
	}
}

// weightedGram is X' W Phi W X.
func weightedGram(x [][]float64, w, phi []float64) [][]float64 {
	s := square(len(x))
	for a := range x {
		for b := range x {
			for i := range w {
				s[a][b] += x[a][i] * w[i] * phi[i] * w[i] * x[b][i]
			}
		}
	}
	return s
}

// generalPart is the part of the cluster with the given rows. Rows that are alike
// are taken together first: their differences carry no leverage, so one row with
// their number's root as factor stands for all, and the cost is that of the
// distinct rows.
func (r *Robust) generalPart(m rowModel, msm [][]float64, rows []int) clusterPart {
	m, rows = m.collapsed(rows)
	n, p := len(rows), len(m.bread)
	x := make([][]float64, n)
	scaled := make([][]float64, n) // W_j X_j M
	part := clusterPart{reach: make([][]float64, 2*p), residual: make([]float64, n)}
	for k := range part.reach {
		part.reach[k] = make([]float64, n)
	}
	for a, i := range rows {
		x[a] = make([]float64, p)
		for k := range p {
			x[a][k] = m.x[k][i]
			part.reach[k][a] = x[a][k]
			part.reach[p+k][a] = x[a][k] * m.weights[i] * m.variances[i]
		}
		scaled[a] = apply(m.bread, x[a])
		for k := range p {
			scaled[a][k] *= m.weights[i]
		}
		part.residual[a] = m.residuals[i]
	}
	part.own = times(transposed(part.reach), times(r.middle, part.reach))
	for a, i := range rows {
		part.own[a][a] += m.variances[i]
	}
	part.lift = scaled
	if r.Kind == CR2 {
		part.lift = times(m.adjustment(x, msm, rows), scaled)
	} else if r.Kind == CR3 {
		part.lift = solveGeneral(transposed(m.leverageLess(x, rows)), scaled)
	}
	return part
}

// collapsed replaces rows of equal columns, weight and variance by one.
func (m rowModel) collapsed(rows []int) (rowModel, []int) {
	out := rowModel{x: make([][]float64, len(m.x)), bread: m.bread}
	place := map[string]int{}
	var counts []float64
	var key []byte
	for _, i := range rows {
		key = key[:0]
		for _, x := range m.x {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x[i]))
		}
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(m.weights[i]))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(m.variances[i]))
		at, seen := place[string(key)]
		if !seen {
			at = len(counts)
			place[string(key)] = at
			counts = append(counts, 0)
			for k, x := range m.x {
				out.x[k] = append(out.x[k], x[i])
			}
			out.weights, out.variances = append(out.weights, m.weights[i]), append(out.variances, m.variances[i])
			out.residuals = append(out.residuals, 0)
		}
		counts[at]++
		out.residuals[at] += m.residuals[i]
	}
	kept := make([]int, len(counts))
	for g, n := range counts {
		kept[g] = g
		for k := range out.x {
			out.x[k][g] *= math.Sqrt(n)
		}
		out.residuals[g] /= math.Sqrt(n)
	}
	return out, kept
}

// adjustment is the symmetric CR2 matrix U B^(-1/2) U with U the root of the
// working variances and B = U [(I-H) Phi (I-H)'] U.
func (m rowModel) adjustment(x, msm [][]float64, rows []int) [][]float64 {
	n := len(rows)
	b := square(n)
	for i, a := range rows {
		mx, sx := apply(m.bread, x[i]), apply(msm, x[i])
		for j, c := range rows {
			h := dot(mx, x[j])
			v := -h*m.weights[c]*m.variances[c] - h*m.weights[a]*m.variances[a] + dot(sx, x[j])
			if i == j {
				v += m.variances[a]
			}
			b[i][j] = v * math.Sqrt(m.variances[a]*m.variances[c])
		}
	}
	out := powerOf(b, -0.5, 1e-12)
	for i, a := range rows {
		for j, c := range rows {
			out[i][j] *= math.Sqrt(m.variances[a] * m.variances[c])
		}
	}
	return out
}

// leverageLess is I - X_j M X_j' W_j.
func (m rowModel) leverageLess(x [][]float64, rows []int) [][]float64 {
	out := square(len(rows))
	for i := range rows {
		mx := apply(m.bread, x[i])
		for j, c := range rows {
			out[i][j] = -dot(mx, x[j]) * m.weights[c]
		}
		out[i][i]++
	}
	return out
}

// covariance adds up the outer products of the clusters' scores.
func (r *Robust) covariance() {
	p := len(r.beta)
	r.Vcov = square(p)
	for _, part := range r.parts {
		s := make([]float64, p)
		for a, e := range part.residual {
			for k := range p {
				s[k] += part.lift[a][k] * e
			}
		}
		for i := range p {
			for j := range p {
				r.Vcov[i][j] += s[i] * s[j]
			}
		}
	}
	for i := range p {
		for j := range p {
			r.Vcov[i][j] *= r.factor
		}
	}
}

// TwoWay combines the covariances of two crossed clusterings and that of their
// intersection: V1 + V2 - V12 (Cameron, Gelbach and Miller 2011, JBES 29:238).
func TwoWay(first, second, both *Robust) [][]float64 {
	out := square(len(first.Vcov))
	for i := range out {
		for j := range out {
			out[i][j] = first.Vcov[i][j] + second.Vcov[i][j] - both.Vcov[i][j]
		}
	}
	return out
}

package stats

// A HeteroscedasticKind names a covariance robust to unequal variances of
// independent rows (MacKinnon and White 1985).
type HeteroscedasticKind int

// The heteroscedasticity-consistent estimators.
const (
	// HC0 is White's.
	HC0 HeteroscedasticKind = iota
	// HC1 is HC0 times N/(N-p).
	HC1
	// HC2 divides each squared residual by 1-h.
	HC2
	// HC3 divides it by (1-h)^2.
	HC3
)

// HeteroscedasticRobust is the covariance of the kept coefficients for
// independent rows of unequal variance. A row of leverage one makes HC2 and HC3
// Undefined.
func HeteroscedasticRobust(fit *LinearFit, kind HeteroscedasticKind) ([][]float64, Reason) {
	x := fit.keptColumns()
	p := len(x)
	meat := square(p)
	for i, e := range fit.Residuals {
		s := e * e
		if fit.weights != nil {
			s *= fit.weights[i] * fit.weights[i]
		}
		left := 1 - fit.Leverage[i]
		if kind >= HC2 && left < 1e-12 {
			return nil, Undefined
		}
		switch kind {
		case HC1:
			s *= float64(fit.N) / float64(fit.DFResidual)
		case HC2:
			s /= left
		case HC3:
			s /= left * left
		}
		for a := range p {
			for b := range p {
				meat[a][b] += x[a][i] * s * x[b][i]
			}
		}
	}
	return times(times(fit.unscale, meat), fit.unscale), ""
}

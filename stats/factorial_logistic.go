package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// factorialLogistic is the analysis by logistic regression.
func factorialLogistic(design FactorialDesign) (*Factorial, error) {
	a, err := unabsorbed(design)
	if err != nil {
		return nil, err
	}
	f := a.begin(MethodLogistic)
	if f.Reason != "" {
		return f, nil
	}
	y := a.full.Pick(design.Response)
	fit := Logistic(a.full, y, nil, a.design.Level)
	f.Rank, f.DFResidual = fit.Rank, fit.DFResidual
	if fit.Separation != nil {
		return f, f.byFirth(a, y, fit.Separation)
	}
	if f.Reason = fit.Reason; f.Reason != "" {
		return f, nil
	}
	robust, why := LogisticClusterRobust(fit, a.cluster, CR2)
	if why != "" {
		f.Reason = why
		return f, nil
	}
	m := fit.Marginal()
	m.Vcov, m.DF = robust.Vcov, robust.DF
	f.fromMarginal(a, m, robust.Wald)
	f.likelihoodRatios(a.full, y)
	return f, nil
}

// likelihoodRatios adds the likelihood ratio tests beside the robust ones.
func (f *Factorial) likelihoodRatios(d *Design, y []float64) {
	for i, t := range LogisticTerms(d, y, nil, SumTypeIII) {
		f.Terms[i].LikelihoodRatio = t
		if f.Terms[i].Reason != "" {
			f.Terms[i].LikelihoodRatio = TermTest{Name: t.Name, Reason: f.Terms[i].Reason}
		}
	}
	f.Notes = append(f.Notes, "likelihood ratio tests take runs as independent")
}

// byFirth analyses a separated response by Firth's penalty.
func (f *Factorial) byFirth(a *absorbed, y []float64, s *SeparationReport) error {
	f.Notes = append(f.Notes, fmt.Sprintf("separation along %s: no maximum likelihood estimate exists; Firth's penalised likelihood, which takes runs as independent",
		strings.Join(s.Diverging, ", ")))
	p := newPenalizedModel(a.full, y, nil)
	if p.why != "" {
		f.Reason = p.why
		return nil
	}
	shadow := &LinearFit{Design: a.full, Kept: p.kept, qr: p.qr}
	m := MarginalModel{Design: a.full, Beta: p.beta, Kept: p.kept, Vcov: p.vcov,
		DF: func([]float64) float64 { return math.Inf(1) }, nulls: shadow.nullVectors()}
	f.fromMarginal(a, m, p.ratio)
	return nil
}

// ratio is the penalised likelihood ratio test that the coefficients picked out
// by unit rows are zero.
func (p *penalizedModel) ratio(name string, rows [][]float64) TermTest {
	free, start := constant(len(p.beta), 1), slices.Clone(p.beta)
	for _, r := range rows {
		for k, v := range r {
			if v != 0 {
				free[k], start[k] = 0, 0
			}
		}
	}
	_, value, ok := p.data.penalized(start, free)
	if !ok {
		return TermTest{Name: name, DF1: float64(len(rows)), Reason: NotConverged}
	}
	return likelihoodRatio(name, 2*(p.value-value), len(rows))
}

package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// A TwoLevelEffect is one effect of a two-level factorial design.
type TwoLevelEffect struct {
	// Name is the term.
	Name string
	// Coefficient is q, half the effect, in the response's unit.
	Coefficient float64
	// Effect is the mean at the high level less the mean at the low level.
	Effect float64
	// SS is the variation the effect explains.
	SS float64
	// Share is SS over the total variation.
	Share Number
	// TLenth is Effect over Lenth's pseudo standard error, without replicates.
	TLenth Number
	// Test is the t test with replicates, of the coefficient.
	Test Coefficient
}

// A TwoLevelFactorial is the analysis of a balanced 2^k design.
type TwoLevelFactorial struct {
	// N is the number of observations, Mean their mean (q0).
	N int
	// Mean is the grand mean.
	Mean float64
	// SST is the total variation about the mean.
	SST float64
	// Effects are all 2^k - 1 effects, by rising degree.
	Effects []TwoLevelEffect
	// SSE, DFError and SigmaError describe the replicates; DFError is 0 without.
	SSE float64
	// DFError are the degrees of freedom between replicates.
	DFError int
	// SigmaError is the standard deviation between replicates.
	SigmaError Number
	// PSE is Lenth's pseudo standard error of an effect, S0 its first step, ME and
	// SME the margins of error of one and of all effects at 95%.
	PSE, S0, ME, SME Number
	// DFLenth is m/3.
	DFLenth float64
}

// Factorial2K analyses a two-level factorial: signs has one slice of -1 and +1 a
// factor, names the factors, y one response a run. All 2^k cells must hold the
// same number of runs; otherwise the reason is EmptyCell or Undefined. With
// replicates effects are tested against them (Jain 1991, chapters 17 and 18),
// without by Lenth (1989, Technometrics 31:469), which takes most effects to be
// zero. Level is that of the intervals.
func Factorial2K(names []string, signs [][]float64, y []float64, level float64) (TwoLevelFactorial, Reason) {
	if why := balanced(signs, len(y)); why != "" {
		return TwoLevelFactorial{}, why
	}
	n := float64(len(y))
	f := TwoLevelFactorial{N: len(y), Mean: weightedMean(y, nil)}
	v := append([]float64(nil), y...)
	centre(v, nil)
	f.SST = sumSquares(v)
	f.SSE = f.SST
	for _, t := range Crossed(names, len(names)) {
		x := constant(len(y), 1)
		for _, name := range t {
			x = product(x, signs[slices.Index(names, name)])
		}
		q := dot(x, v) / n
		e := TwoLevelEffect{Name: t.String(), Coefficient: q, Effect: 2 * q, SS: n * q * q, Share: Number{Reason: NoVariation}}
		if f.SST > 0 {
			e.Share = Number{Value: e.SS / f.SST}
		}
		f.SSE -= e.SS
		f.Effects = append(f.Effects, e)
	}
	f.DFError = len(y) - len(f.Effects) - 1
	if f.DFError > 0 {
		f.replicated(level)
	} else {
		f.lenth()
	}
	return f, ""
}

// balanced checks that every cell of the design holds the same number of runs.
func balanced(signs [][]float64, n int) Reason {
	counts := make([]int, 1<<len(signs))
	for i := range n {
		cell := 0
		for k, s := range signs {
			if s[i] > 0 {
				cell |= 1 << k
			}
		}
		counts[cell]++
	}
	for _, c := range counts {
		switch c {
		case 0:
			return EmptyCell
		case counts[0]:
		default:
			return Undefined
		}
	}
	return ""
}

// replicated tests each effect against the variation between replicates.
func (f *TwoLevelFactorial) replicated(level float64) {
	df := float64(f.DFError)
	f.SigmaError = Number{Value: math.Sqrt(max(f.SSE, 0) / df)}
	se := f.SigmaError.Value / math.Sqrt(float64(f.N))
	for i := range f.Effects {
		e := &f.Effects[i]
		e.TLenth = Number{Reason: Undefined}
		e.Test = Coefficient{Name: e.Name, Estimate: e.Coefficient, StdErr: se, DF: df}
		e.Test.test(level, "t")
	}
	f.PSE, f.S0, f.ME, f.SME = Number{Reason: Undefined}, Number{Reason: Undefined}, Number{Reason: Undefined}, Number{Reason: Undefined}
}

// lenth estimates the error from the small effects.
func (f *TwoLevelFactorial) lenth() {
	f.SigmaError = Number{Reason: TooFew}
	sizes := make([]float64, len(f.Effects))
	for i, e := range f.Effects {
		sizes[i] = math.Abs(e.Effect)
	}
	median, _ := Median(sizes)
	s0 := 1.5 * median
	var small []float64
	for _, s := range sizes {
		if s < 2.5*s0 {
			small = append(small, s)
		}
	}
	m := float64(len(sizes))
	f.DFLenth, f.S0 = m/3, Number{Value: s0}
	if len(small) == 0 {
		f.PSE, f.ME, f.SME = Number{Reason: NoVariation}, Number{Reason: NoVariation}, Number{Reason: NoVariation}
	} else {
		median, _ := Median(small)
		pse := 1.5 * median
		f.PSE = Number{Value: pse}
		f.ME = Number{Value: pse * dist.StudentTQuantile(0.975, f.DFLenth)}
		f.SME = Number{Value: pse * dist.StudentTQuantile((1+math.Pow(0.95, 1/m))/2, f.DFLenth)}
	}
	for i := range f.Effects {
		e := &f.Effects[i]
		e.Test = Coefficient{Name: e.Name, Estimate: e.Coefficient, Uncertain: TooFew}
		e.TLenth = Number{Value: e.Effect / f.PSE.Value, Reason: f.PSE.Reason}
	}
}

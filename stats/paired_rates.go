package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// Names of the methods for paired rates.
const (
	MethodNewcombePaired            = "Newcombe paired (method 10)"
	MethodNewcombePairedUncorrected = "Newcombe paired (method 8)"
	MethodWaldPaired                = "Wald, paired"
	MethodConditionalOdds           = "Clopper-Pearson on the discordant pairs"
)

// A PairedRecord is what two arms did on one task.
type PairedRecord struct {
	// Task names the task; it is the pair.
	Task string
	// First is the outcome of the first arm; it means nothing unless HasFirst.
	First bool
	// Second is the outcome of the second arm; it means nothing unless HasSecond.
	Second bool
	// HasFirst says that the first arm has a decided run of the task.
	HasFirst bool
	// HasSecond says that the second arm has one.
	HasSecond bool
}

// PairedCells count tasks by the outcomes of two arms, one run a task and arm.
type PairedCells struct {
	// Both arms succeeded (a).
	Both int
	// FirstOnly succeeded (b).
	FirstOnly int
	// SecondOnly succeeded (c).
	SecondOnly int
	// Neither succeeded (d).
	Neither int
	// LeftOut counts tasks without an outcome of one arm, or of both.
	LeftOut int
}

// PairRecords counts the pairs. A task with one side only says nothing about a
// difference within tasks; it is left out, and counted.
func PairRecords(records []PairedRecord) PairedCells {
	var c PairedCells
	for _, r := range records {
		switch {
		case !r.HasFirst || !r.HasSecond:
			c.LeftOut++
		case r.First && r.Second:
			c.Both++
		case r.First:
			c.FirstOnly++
		case r.Second:
			c.SecondOnly++
		default:
			c.Neither++
		}
	}
	return c
}

// Pairs is the number of complete pairs.
func (c PairedCells) Pairs() int { return c.Both + c.FirstOnly + c.SecondOnly + c.Neither }

// Difference is the first rate minus the second; NoData without a pair.
func (c PairedCells) Difference() (float64, Reason) {
	if c.Pairs() == 0 {
		return 0, NoData
	}
	return float64(c.FirstOnly-c.SecondOnly) / float64(c.Pairs()), ""
}

// Phi is the correlation between the arms. With corrected, a positive numerator
// loses half the number of pairs and stops at 0, as Newcombe's method 10 has
// it. A denominator of 0 gives 0.
func (c PairedCells) Phi(corrected bool) float64 {
	a, b, cc, d := float64(c.Both), float64(c.FirstOnly), float64(c.SecondOnly), float64(c.Neither)
	product := (a + b) * (cc + d) * (a + cc) * (b + d)
	if product == 0 {
		return 0
	}
	numerator := a*d - b*cc
	if corrected && numerator > 0 {
		numerator = math.Max(0, numerator-float64(c.Pairs())/2)
	}
	return numerator / math.Sqrt(product)
}

// Newcombe is the hybrid score interval of the difference for paired data:
// method 10 of Newcombe, Statistics in Medicine 17 (1998) 2635-2650, the
// default for two arms with one run a task. NoData without a pair.
func (c PairedCells) Newcombe(level float64) (Interval, Reason) {
	return c.newcombe(level, c.Phi(true), MethodNewcombePaired)
}

// NewcombeUncorrected is method 8 of the same paper: phi as it is.
func (c PairedCells) NewcombeUncorrected(level float64) (Interval, Reason) {
	return c.newcombe(level, c.Phi(false), MethodNewcombePairedUncorrected)
}

func (c PairedCells) newcombe(level, phi float64, method string) (Interval, Reason) {
	d, reason := c.Difference()
	if !reason.OK() {
		return Interval{}, reason
	}
	n := float64(c.Pairs())
	x1, x2 := float64(c.Both+c.FirstOnly), float64(c.Both+c.SecondOnly)
	w1, _ := Wilson(x1, n, level)
	w2, _ := Wilson(x2, n, level)
	below1, above1 := x1/n-w1.Low, w1.High-x1/n
	below2, above2 := x2/n-w2.Low, w2.High-x2/n
	// (u - v)^2 + 2(1-phi) u v is u^2 - 2 phi u v + v^2 without cancellation.
	half := func(u, v float64) float64 { return math.Sqrt((u-v)*(u-v) + 2*(1-phi)*u*v) }
	return Interval{
		Low:    math.Max(-1, d-half(below1, above2)),
		High:   math.Min(1, d+half(above1, below2)),
		Level:  level,
		Method: method,
	}, ""
}

// Wald is the normal interval of the paired difference; asked for by name.
func (c PairedCells) Wald(level float64) (Interval, Reason) {
	d, reason := c.Difference()
	if !reason.OK() {
		return Interval{}, reason
	}
	n, b, cc := float64(c.Pairs()), float64(c.FirstOnly), float64(c.SecondOnly)
	half := normalCritical(level) * math.Sqrt(b+cc-(b-cc)*(b-cc)/n) / n
	return Interval{Low: d - half, High: d + half, Level: level, Method: MethodWaldPaired}, ""
}

// ConditionalOddsRatio is FirstOnly over SecondOnly with the exact interval from
// the discordant pairs (Breslow and Day, Statistical Methods in Cancer Research
// I, 1980, section 5.2). Without a discordant pair the estimate is Undefined
// and the limits are 0 and +Inf.
func (c PairedCells) ConditionalOddsRatio(level float64) Ratio {
	b, cc := float64(c.FirstOnly), float64(c.SecondOnly)
	i := Interval{Low: 0, High: math.Inf(1), Level: level, Method: MethodConditionalOdds}
	tail := (1 - level) / 2
	if b > 0 {
		p := dist.BetaQuantile(tail, b, cc+1)
		q := dist.BetaUpperQuantile(tail, cc+1, b)
		i.Low = p / q
	}
	if cc > 0 {
		p := dist.BetaUpperQuantile(tail, b+1, cc)
		q := dist.BetaQuantile(tail, cc, b+1)
		i.High = p / q
	}
	r := Ratio{Estimate: b / cc, Interval: i}
	if b+cc == 0 {
		r.Estimate, r.Reason = 0, Undefined
	}
	return r
}

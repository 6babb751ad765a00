package gate

import (
	"fmt"
	"math/big"
)

// Change is what a decision rests on: two figures and the number of tasks that changed sides.
type Change struct {
	// Baseline and Current are the figures.
	Baseline, Current Figure
	// Paired says that Lost and Won were counted.
	Paired bool
	// Lost and Won are how many tasks worsened and improved.
	Lost, Won int
}

// Decide is the rule of the gate for one measure. The change is a regression where it is for the worse by more
// than the limit, as exact fractions, and, with Significant, where the sign test also calls it more than noise.
func Decide(m Measure, c Change, opts Options) Verdict {
	worse, ok := worsening(m, c.Baseline, c.Current)
	switch {
	case !ok:
		return CannotDecide
	case !worse.past(opts.Limits.of(m.Kind)):
		return Pass
	case !opts.Significant:
		return Regressed
	case !c.Paired:
		return CannotDecide
	case c.Lost > c.Won && SignTest(c.Won, c.Lost).Cmp(alpha) <= 0:
		return Regressed
	default:
		return Pass
	}
}

// loss is by how much a figure worsened.
type loss struct {
	// by is the difference, positive for the worse.
	by *big.Rat
	// of is what the limit is a share of: 1, or the baseline of an amount.
	of *big.Rat
}

// worsening is missing where a figure is.
func worsening(m Measure, baseline, current Figure) (loss, bool) {
	before, okBefore := baseline.Value()
	now, okNow := current.Value()
	if !okBefore || !okNow {
		return loss{}, false
	}
	by := new(big.Rat).Sub(before, now)
	if m.Direction == LowerIsBetter {
		by.Neg(by)
	}
	if m.Kind == Amount {
		return loss{by: by, of: new(big.Rat).Abs(before)}, true
	}
	return loss{by: by, of: big.NewRat(1, 1)}, true
}

// past compares without dividing, so an amount that was 0 and is not any more is past every limit.
func (l loss) past(limit *big.Rat) bool {
	return l.by.Cmp(new(big.Rat).Mul(limit, l.of)) > 0
}

// figure is the loss as a number to print; missing where it is a share of nothing.
func (l loss) figure() Figure {
	if l.of.Sign() == 0 {
		return Figure{}
	}
	return Exact(new(big.Rat).Quo(l.by, l.of))
}

// compare fills in a comparison of two figures whose tasks, if any, have been counted.
func (c Comparison) compare(opts Options) Comparison {
	c.Limit = opts.Limits.of(c.Measure.Kind)
	label := c.label()
	for _, side := range []struct {
		name   string
		figure Figure
	}{{"baseline", c.Baseline}, {"current run", c.Current}} {
		if side.figure.Missing() {
			c.Verdict = CannotDecide
			c.Reason = fmt.Sprintf("cannot compare %s: the %s has no figure", label, side.name)
			return c
		}
	}
	if c.doubt != "" {
		c.Verdict, c.Reason = CannotDecide, fmt.Sprintf("cannot compare %s: %s", label, c.doubt)
		return c
	}
	worse, _ := worsening(c.Measure, c.Baseline, c.Current)
	c.Worse = worse.figure()
	if c.Paired {
		c.P = SignTest(len(c.Won), len(c.Lost))
	}
	c.Verdict = Decide(c.Measure, Change{c.Baseline, c.Current, c.Paired, len(c.Lost), len(c.Won)}, opts)
	switch c.Verdict {
	case Regressed:
		c.Reason = fmt.Sprintf("%s is worse by %s, past the limit of %s", label, c.worseText(), c.limitText())
	case CannotDecide:
		c.Reason = fmt.Sprintf("cannot compare %s: past its limit, but without values by task on both sides noise cannot be told", label)
	case Pass:
		if worse.past(c.Limit) {
			c.Reason = fmt.Sprintf("%s is worse by %s, past the limit of %s, but no more than noise", label, c.worseText(), c.limitText())
		}
	}
	return c
}

// label names a comparison in a message.
func (c Comparison) label() string {
	if c.Tool == "" {
		return c.Measure.Name
	}
	return c.Measure.Name + " of " + c.Tool
}

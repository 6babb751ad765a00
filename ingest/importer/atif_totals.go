package importer

import (
	"fmt"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// totals are the sums that a trajectory declares of itself. All-zero tokens of an
// agent that made calls mean that nothing was tracked; those of a chain that is cut
// are of its beginning.
func (s *source) totals(c *chain, calls int) *schema.Totals {
	if c.cut {
		return nil
	}
	t := &schema.Totals{
		InputTokens: s.declared(c, func(t *atifTotals) schema.Opt[int64] { return s.integer(t.Prompt) },
			func(m *atifMetrics) schema.Opt[int64] { return m.Prompt.integer() }),
		OutputTokens: s.declared(c, func(t *atifTotals) schema.Opt[int64] { return s.integer(t.Completion) },
			func(m *atifMetrics) schema.Opt[int64] { return m.Completion.integer() }),
		CachedInputTokens: s.declared(c, func(t *atifTotals) schema.Opt[int64] { return s.integer(t.Cached) },
			func(m *atifMetrics) schema.Opt[int64] { return m.Cached.integer() }),
	}
	if usd, ok := s.declared(c, func(t *atifTotals) schema.Opt[int64] { return nanoUSD(s.usd(t.Cost)) },
		func(m *atifMetrics) schema.Opt[int64] { return nanoUSD(m.Cost.usd()) }).Get(); ok {
		t.CostUSD = schema.Some(schema.USD(usd))
	}
	if calls > 0 && untracked(t.InputTokens, t.OutputTokens, t.CachedInputTokens) {
		s.zero()
		t.InputTokens, t.OutputTokens, t.CachedInputTokens = schema.None[int64](), schema.None[int64](), schema.None[int64]()
		if t.CostUSD.Or(1) == 0 {
			t.CostUSD = schema.None[schema.USD]()
		}
	}
	if *t == (schema.Totals{}) {
		return nil
	}
	return t
}

func nanoUSD(o schema.Opt[schema.USD]) schema.Opt[int64] {
	if u, ok := o.Get(); ok {
		return schema.Some(int64(u))
	}
	return schema.None[int64]()
}

// declared is one declared total over the parts of a chain. Some agents declare
// the sum of each file, others, in a continuation, the sum up to its end: which,
// is seen by the steps. Where it cannot be seen the total is missing.
func (s *source) declared(c *chain, total func(*atifTotals) schema.Opt[int64], own func(*atifMetrics) schema.Opt[int64]) schema.Opt[int64] {
	var sum int64
	for i, p := range c.parts {
		if p.doc.FinalMetrics == nil {
			return schema.None[int64]()
		}
		d, ok := total(p.doc.FinalMetrics).Get()
		steps, complete := stepSum(p, own).Get()
		switch {
		case !ok:
			return schema.None[int64]()
		case i == 0 || sum == 0:
			sum = d
		case complete && d == steps:
			sum += d
		case complete && d >= sum+steps:
			sum = d
		default:
			s.report.note(fmt.Sprintf("%s: whether the totals go on from the file before cannot be seen: missing", p.text.file.rel))
			return schema.None[int64]()
		}
	}
	return schema.Some(sum)
}

// stepSum adds what the agent's own steps report; missing where one does not.
func stepSum(p *part, own func(*atifMetrics) schema.Opt[int64]) schema.Opt[int64] {
	var sum int64
	for i := range p.doc.Steps {
		step := &p.doc.Steps[i].value
		if step.Source.Or("") != "agent" || step.IsCopied.Or(false) {
			continue
		}
		if step.Metrics == nil {
			return schema.None[int64]()
		}
		n, ok := own(step.Metrics).Get()
		if !ok {
			return schema.None[int64]()
		}
		sum += n
	}
	return schema.Some(sum)
}

// checkChain compares what a trajectory declares with what its steps hold.
func (s *source) checkChain(c *chain) {
	for _, p := range c.parts {
		if p.doc.FinalMetrics == nil {
			continue
		}
		if n, ok := p.doc.FinalMetrics.Steps.integer().Get(); ok {
			s.report.check("total_steps", p.text.file.rel, strconv.FormatInt(n, 10), strconv.Itoa(len(p.doc.Steps)))
		}
	}
	for _, p := range c.parts {
		if p.doc.FinalMetrics == nil || len(c.parts) > 1 {
			continue
		}
		found, ok := stepSum(p, func(m *atifMetrics) schema.Opt[int64] { return m.Prompt.integer() }).Get()
		if n, has := p.doc.FinalMetrics.Prompt.integer().Get(); ok && has {
			s.report.check("total_prompt_tokens", p.text.file.rel, strconv.FormatInt(n, 10), strconv.FormatInt(found, 10))
		}
	}
	for _, p := range c.parts {
		gaps := 0
		for i := range p.doc.Steps {
			if n, ok := p.doc.Steps[i].value.ID.integer().Get(); !ok || n != int64(i+1) {
				gaps++
			}
		}
		if gaps > 0 {
			s.report.check("step_id", p.text.file.rel, "1, 2, … without a gap", strconv.Itoa(gaps)+" steps out of place")
		}
	}
}

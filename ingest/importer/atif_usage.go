package importer

import "github.com/assay-bench/assay/schema"

// usage reads the metrics of a step. All-zero tokens of a call that was made mean
// that nothing was tracked: they and a zero cost beside them are missing.
func (s *source) usage(m *atifMetrics) (*schema.Usage, schema.Opt[schema.USD]) {
	u := &schema.Usage{InputTokens: s.integer(m.Prompt), OutputTokens: s.integer(m.Completion), CachedInputTokens: s.integer(m.Cached)}
	cost := s.usd(m.Cost)
	if untracked(u.InputTokens, u.OutputTokens, u.CachedInputTokens) {
		s.zero()
		if cost.Or(1) == 0 {
			cost = schema.None[schema.USD]()
		}
		return nil, cost
	}
	if x := m.Extra; x != nil {
		u.ReasoningTokens = atMost(x.Reasoning.integer(), u.OutputTokens)
		u.CacheWriteInputTokens = atMost(x.CacheWrite.integer(), u.InputTokens)
	}
	if !u.InputTokens.Has() && !u.OutputTokens.Has() && !u.CachedInputTokens.Has() {
		return nil, cost
	}
	// prompt_tokens holds the cached ones, completion_tokens the reasoning.
	u.Convention = schema.Some(schema.ConventionInclusive.Name)
	return u, cost
}

// zero counts the run that is being written among those whose zeros are missing.
func (s *source) zero() {
	if !s.zeros[s.writing] {
		s.zeros[s.writing] = true
		s.report.count(countZeros, 1)
	}
}

// untracked reports whether counts that are there are all zero.
func untracked(list ...schema.Opt[int64]) bool {
	some := false
	for _, o := range list {
		n, ok := o.Get()
		if n != 0 {
			return false
		}
		some = some || ok
	}
	return some
}

// atMost drops a part that is larger than its whole: the name means something
// else there.
func atMost(part, whole schema.Opt[int64]) schema.Opt[int64] {
	if part.Or(0) > whole.Or(0) {
		return schema.None[int64]()
	}
	return part
}

func (s *source) integer(n number) schema.Opt[int64] {
	v := n.integer()
	if !v.Has() && (n.odd || n.text != "") {
		s.report.count(countOddNumbers, 1)
	}
	return v
}

func (s *source) usd(n number) schema.Opt[schema.USD] {
	v := n.usd()
	if !v.Has() && (n.odd || n.text != "") {
		s.report.count(countOddNumbers, 1)
	}
	return v
}

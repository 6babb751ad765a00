package derive

import "github.com/assay-bench/assay/schema"

// localization computes where in the run's ranked list the answer stands.
var localization = []runMetric{
	{&schema.FileRecallAt1, fromList(fileRecallAt(0))},
	{&schema.FileRecallAt3, fromList(fileRecallAt(1))},
	{&schema.FileRecallAt5, fromList(fileRecallAt(2))},
	{&schema.FileRecallAt10, fromList(fileRecallAt(3))},
	{&schema.FileRecallAt20, fromList(fileRecallAt(4))},
	{&schema.FunctionRecallAt1, fromList(functionRecallAt(0))},
	{&schema.FunctionRecallAt3, fromList(functionRecallAt(1))},
	{&schema.FunctionRecallAt5, fromList(functionRecallAt(2))},
	{&schema.FunctionRecallAt10, fromList(functionRecallAt(3))},
	{&schema.FunctionRecallAt20, fromList(functionRecallAt(4))},
	{&schema.HitAt1, fromList(hitAt(0))},
	{&schema.HitAt3, fromList(hitAt(1))},
	{&schema.HitAt5, fromList(hitAt(2))},
	{&schema.HitAt10, fromList(hitAt(3))},
	{&schema.HitAt20, fromList(hitAt(4))},
	{&schema.MRR, fromList(reciprocalRank)},
	{&schema.NDCGAt10, fromList(ndcgAt10)},
	{&schema.DuplicateCandidates, fromList(duplicateCandidates)},
	{&schema.GoldWithinBudget, goldWithinBudget},
}

// queryMetrics computes the same of one query, and its size and time.
var queryMetrics = []queryMetric{
	{&schema.QueryFileRecallAt1, fromQuery(fileRecallAt(0))},
	{&schema.QueryFileRecallAt3, fromQuery(fileRecallAt(1))},
	{&schema.QueryFileRecallAt5, fromQuery(fileRecallAt(2))},
	{&schema.QueryFileRecallAt10, fromQuery(fileRecallAt(3))},
	{&schema.QueryFileRecallAt20, fromQuery(fileRecallAt(4))},
	{&schema.QueryFunctionRecallAt1, fromQuery(functionRecallAt(0))},
	{&schema.QueryFunctionRecallAt3, fromQuery(functionRecallAt(1))},
	{&schema.QueryFunctionRecallAt5, fromQuery(functionRecallAt(2))},
	{&schema.QueryFunctionRecallAt10, fromQuery(functionRecallAt(3))},
	{&schema.QueryFunctionRecallAt20, fromQuery(functionRecallAt(4))},
	{&schema.QueryHitAt1, fromQuery(hitAt(0))},
	{&schema.QueryHitAt3, fromQuery(hitAt(1))},
	{&schema.QueryHitAt5, fromQuery(hitAt(2))},
	{&schema.QueryHitAt10, fromQuery(hitAt(3))},
	{&schema.QueryHitAt20, fromQuery(hitAt(4))},
	{&schema.QueryMRR, fromQuery(reciprocalRank)},
	{&schema.QueryNDCGAt10, fromQuery(ndcgAt10)},
	{&schema.QueryAP, fromQuery(averagePrecision)},
	{&schema.QueryTokens, queryTokens},
	{&schema.QueryLatencyMS, queryLatency},
}

// A listMetric is a metric of a ranked list.
type listMetric func(g *gold, l *ranked) schema.Value

// fromList applies m to the run's list; it does not apply to a run that asked nothing.
func fromList(m listMetric) func(*Run, []schema.Value) {
	return func(r *Run, out []schema.Value) {
		if len(r.rows.Queries) == 0 {
			out[0] = schema.Missing(&schema.NoRetrieval)
			return
		}
		out[0] = m(&r.gold, &r.retrieval.list)
	}
}

// fromQuery applies m to the list of one query.
func fromQuery(m listMetric) func(*Run, int) schema.Value {
	return func(r *Run, i int) schema.Value { return m(&r.gold, &r.retrieval.queries[i].list) }
}

// cutBelow reports whether the tool stopped before k, so that what would have
// come up to k is not known.
func (l *ranked) cutBelow(k int) bool { return l.limit > 0 && int64(k) > l.limit }

func fileRecallAt(cutoff int) listMetric {
	return func(g *gold, l *ranked) schema.Value {
		switch {
		case g.relevant() == 0:
			return schema.Missing(&schema.MissingNoGold)
		case l.cutBelow(schema.Cutoffs[cutoff]):
			return schema.Missing(&schema.MissingCutAtLimit)
		}
		return schema.Double(float64(l.found[cutoff]) / float64(g.relevant()))
	}
}

func functionRecallAt(cutoff int) listMetric {
	return func(g *gold, l *ranked) schema.Value {
		switch {
		case len(g.functions) == 0:
			return schema.Missing(&schema.MissingNoGold)
		case l.cutBelow(schema.Cutoffs[cutoff]):
			return schema.Missing(&schema.MissingCutAtLimit)
		}
		return schema.Double(float64(l.matched[cutoff]) / float64(len(g.functions)))
	}
}

func hitAt(cutoff int) listMetric {
	return func(g *gold, l *ranked) schema.Value {
		switch {
		case g.relevant() == 0:
			return schema.Missing(&schema.MissingNoGold)
		case l.cutBelow(schema.Cutoffs[cutoff]):
			return schema.Missing(&schema.MissingCutAtLimit)
		}
		return schema.Flag(l.found[cutoff] > 0)
	}
}

func reciprocalRank(g *gold, l *ranked) schema.Value {
	switch {
	case g.relevant() == 0:
		return schema.Missing(&schema.MissingNoGold)
	case l.first == 0:
		return schema.Double(0)
	}
	return schema.Double(1 / float64(l.first))
}

func ndcgAt10(g *gold, l *ranked) schema.Value {
	switch {
	case g.relevant() == 0:
		return schema.Missing(&schema.MissingNoGold)
	case l.cutBelow(len(log2)):
		return schema.Missing(&schema.MissingCutAtLimit)
	}
	return fraction(l.gain, g.ideal)
}

func averagePrecision(g *gold, l *ranked) schema.Value {
	if g.relevant() == 0 {
		return schema.Missing(&schema.MissingNoGold)
	}
	return schema.Double(l.precision / float64(g.relevant()))
}

func duplicateCandidates(g *gold, l *ranked) schema.Value {
	if g.relevant() == 0 {
		return schema.Missing(&schema.MissingNoGold)
	}
	return schema.Integer(l.dropped)
}

// goldWithinBudget walks the run's candidates as a packer that skips nothing.
func goldWithinBudget(r *Run, out []schema.Value) {
	budget, limited := r.in.Manifest.ContextBudget.Get()
	switch {
	case len(r.rows.Queries) == 0:
		out[0] = schema.Missing(&schema.NoRetrieval)
		return
	case r.gold.relevant() == 0:
		out[0] = schema.Missing(&schema.MissingNoGold)
		return
	case !limited:
		out[0] = schema.Missing(&schema.MissingNoBudget)
		return
	}
	r.retrieval.stamp++
	left, fits, reached := budget, true, int64(0)
	for _, i := range r.prefix() {
		tokens, ok := r.rows.Candidates[i].Tokens.Get()
		if !ok {
			out[0] = schema.Missing(&schema.MissingNoTokens)
			return
		}
		if fits = fits && tokens <= left; !fits {
			continue
		}
		left -= tokens
		e := r.retrieval.of[i].entity
		if e.listed != r.retrieval.stamp && r.gradeOf(e) > 0 {
			reached++
		}
		e.listed = r.retrieval.stamp
	}
	out[0] = schema.Double(float64(reached) / float64(r.gold.relevant()))
}

func queryTokens(r *Run, i int) schema.Value {
	q := &r.retrieval.queries[i]
	if n, ok := q.tokens.Get(); ok {
		return schema.Integer(n)
	}
	var sum tally
	for _, c := range r.retrieval.order[q.from:q.to] {
		sum.add(r.rows.Candidates[c].Tokens)
	}
	switch {
	case q.candidates == 0 && r.rows.Queries[i].Results.Or(1) > 0, sum.n < q.candidates:
		return schema.Missing(&schema.MissingNoTokens)
	case sum.over:
		return schema.Missing(&schema.MissingOverflow)
	}
	return schema.Integer(sum.sum)
}

func queryLatency(r *Run, i int) schema.Value {
	if l, ok := r.retrieval.queries[i].latency.Get(); ok {
		return schema.Double(l)
	}
	return schema.Missing(&schema.MissingNoTime)
}

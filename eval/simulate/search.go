package simulate

import (
	"fmt"
	"math"

	"github.com/assay-bench/assay/schema"
)

// search asks for candidates: once with the planted list, and sometimes again
// without an answer.
func (c *course) search() error {
	c.reached = c.found()
	if c.arm.silent {
		return nil
	}
	if err := c.append(schema.ToolCall{CallID: c.call(), Name: "search", Status: schema.StatusOK.Name,
		Arguments:   schema.Some(schema.Object(fmt.Sprintf(`{"query":"where is %s handled"}`, c.task.id))),
		ResultBytes: schema.Some(c.random.Int64N(20000)), ResultTokens: schema.Some(c.random.Int64N(5000)), LatencyMS: schema.Some(c.latency())}); err != nil {
		return err
	}
	list := c.candidates()
	if err := c.query("q1", int64(len(list))); err != nil {
		return err
	}
	for _, candidate := range list {
		if err := c.append(candidate); err != nil {
			return err
		}
	}
	if c.random.Float64() < 0.2 {
		return c.query("q2", 0)
	}
	return nil
}

func (c *course) query(id string, results int64) error {
	q := schema.RetrievalQuery{QueryID: id, Results: results, Status: schema.StatusOK.Name,
		Query: schema.Some("where is " + c.task.id + " handled"), QueryKind: schema.Some("natural_language"), Source: schema.Some(c.arm.source),
		Limit: schema.Some(int64(c.design.study.limit())), LatencyMS: schema.Some(c.latency())}
	if c.arm.index != "" {
		q.IndexID = schema.Some(c.indexID())
	}
	return c.append(q)
}

// latency of a query is log-normal about 120 ms where everything is read, and
// about 15 ms or more, as the index costs, where there is one.
func (c *course) latency() float64 {
	median := 120.0
	if c.arm.index != "" {
		median = 15 * math.Sqrt(c.arm.cost)
	}
	return round(median*math.Exp(0.7*c.random.NormFloat64()), 3)
}

// found is the gold file with the best rank, or -1.
func (c *course) found() int {
	best := -1
	for g, rank := range c.outcome.rank[:c.outcome.gold] {
		if rank > 0 && (best < 0 || rank < c.outcome.rank[best]) {
			best = g
		}
	}
	return best
}

// candidates is the ranked list: gold files at their drawn ranks, others between.
func (c *course) candidates() []schema.RetrievalCandidate {
	list := make([]schema.RetrievalCandidate, c.design.study.Candidates)
	for i := range list {
		list[i] = c.other(i)
	}
	for g, rank := range c.outcome.rank[:c.outcome.gold] {
		if rank > 0 {
			c.put(&list[rank-1], g)
		}
	}
	// Behind the ranks that planted outcomes depend on.
	last := &list[len(list)-1]
	switch c.fault {
	case &FaultUnknownPath:
		last.File = schema.Some("src/m00/other.txt:12-40")
	case &FaultDuplicateCandidate:
		rank, tokens := last.Rank, last.Tokens
		*last = list[0]
		last.Rank, last.Tokens = rank, tokens
	}
	return list
}

// other is a candidate that is no gold: no other one has its path.
func (c *course) other(i int) schema.RetrievalCandidate {
	start := 1 + c.random.Int64N(900)
	return schema.RetrievalCandidate{QueryID: "q1", Rank: int64(i + 1),
		File:   schema.Some(fmt.Sprintf("src/m%02d/other_%d_%d", c.random.IntN(20), i, c.random.IntN(1000))),
		Symbol: schema.Some(fmt.Sprintf("helper_%d", c.random.IntN(1000))), StartLine: schema.Some(start), EndLine: schema.Some(start + span - 1),
		Score: schema.Some(round(1/float64(i+2), 6)), Tokens: schema.Some(c.candidateTokens()), Packed: schema.Some(i < c.arm.fits)}
}

// put puts a gold file at a candidate's place: at its function, or behind it.
func (c *course) put(at *schema.RetrievalCandidate, g int) {
	gold := &c.task.gold[g]
	at.File, at.Symbol = schema.Some(gold.path), schema.Some(gold.symbol)
	start := gold.start
	if !c.outcome.named[g] {
		at.Symbol, start = schema.Some("next_to_"+gold.symbol), gold.start+span
	}
	at.StartLine, at.EndLine = schema.Some(start), schema.Some(start+span-1)
}

// candidateTokens is such that exactly the arm's number of candidates fits the
// budget, whichever they are.
func (c *course) candidateTokens() int64 {
	most := int64(contextBudget / c.arm.fits)
	least := int64(contextBudget/(c.arm.fits+1)) + 1
	return least + c.random.Int64N(most-least+1)
}

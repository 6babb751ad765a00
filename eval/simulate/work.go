package simulate

import (
	"fmt"

	"github.com/assay-bench/assay/schema"
)

// step is one model call with what it leads to: reading, then editing, then
// testing.
func (c *course) step(i int) error {
	if err := c.append(c.modelCall(i)); err != nil {
		return err
	}
	switch n := c.steps; {
	case i >= n-2 && c.end.patch == schema.PatchFilePresent.Name:
		return c.testOrEdit(i == n-1)
	case i < n-2:
		return c.read(i)
	}
	return nil
}

// part is the i-th of n whole parts of a total; together they are the total.
func part(total int64, i, n int) int64 {
	return total*int64(i+1)/int64(n) - total*int64(i)/int64(n)
}

func (c *course) modelCall(i int) schema.ModelCall {
	n := c.steps
	in, out := part(c.outcome.input, i, n), part(c.outcome.output, i, n)
	// 0.5 and 2 dollars a million tokens, in units of 1e-9 dollars.
	cost := schema.USD(500*in + 2000*out)
	if c.fault == &FaultZeroCost {
		cost = 0
	}
	call := schema.ModelCall{CallID: c.call(), ModelKey: schema.Some(c.arm.Model),
		Usage: &schema.Usage{InputTokens: schema.Some(in), OutputTokens: schema.Some(out), CachedInputTokens: schema.Some(in * int64(i) / int64(n)),
			Convention: schema.Some(schema.ConventionInclusive.Name)},
		CostUSD: schema.Some(cost), LatencyMS: schema.Some(round(float64(out)*12*(0.8+0.4*c.random.Float64()), 1)), StopReason: schema.Some("tool_use")}
	if c.fault == &FaultUsage && i == n/2 {
		call.Usage = nil
	}
	return call
}

// read reads a file: mostly one that is no gold, and once the gold that was found.
func (c *course) read(i int) error {
	path, start := fmt.Sprintf("src/m%02d/other_%d_%d", c.random.IntN(20), i, c.random.IntN(1000)), 1+c.random.Int64N(900)
	if c.reached >= 0 && i == c.steps-3 {
		path, start = c.task.gold[c.reached].path, c.task.gold[c.reached].start
	}
	tokens := 200 + c.random.Int64N(1800)
	status, kind := schema.StatusOK.Name, schema.None[string]()
	failed := c.random.Float64() < 0.03
	if failed {
		status, kind = schema.StatusError.Name, schema.Some(schema.ToolErrorTool.Name)
	}
	if err := c.append(schema.ToolCall{CallID: c.call(), Name: "read_file", Status: status, ErrorKind: kind,
		Arguments:   schema.Some(schema.Object(`{"path":"` + path + `"}`)),
		ResultBytes: schema.Some(4 * tokens), ResultTokens: schema.Some(tokens), LatencyMS: schema.Some(round(5*c.random.Float64(), 3))}); err != nil || failed {
		return err
	}
	return c.append(schema.FileRead{Path: path, StartLine: schema.Some(start), EndLine: schema.Some(start + 99),
		ContentSHA256: schema.Some(hexOf(c.task.repo.commit + path)), Tokens: schema.Some(tokens)})
}

// testOrEdit makes the change, and in the last step runs tests on it.
func (c *course) testOrEdit(last bool) error {
	if last {
		passed := c.end.passed
		status := int64(0)
		if passed < c.task.failToPass {
			status = 1
		}
		return c.append(schema.TestRun{Kind: schema.KindTest.Name, ExitStatus: status, DurationMS: schema.Some(round(500+9000*c.random.Float64(), 1)),
			Counts: &schema.TestCounts{Passed: schema.Some(int64(c.task.passToPass + passed)), Failed: schema.Some(int64(c.task.failToPass - passed))}})
	}
	edit := schema.Edit{TargetPaths: []string{c.target()}, Applied: true, SyntaxOK: schema.Some(true)}
	if c.random.Float64() < 0.1 {
		bad := edit
		bad.Applied, bad.SyntaxOK, bad.Error = false, schema.None[bool](), schema.Some("the text to replace was not found")
		if err := c.append(bad); err != nil {
			return err
		}
	}
	return c.append(edit)
}

// target is the file that the run changes: gold where it found some, or where it
// resolves the task all the same.
func (c *course) target() string {
	switch {
	case c.reached >= 0:
		return c.task.gold[c.reached].path
	case c.outcome.resolved:
		return c.task.gold[0].path
	}
	return "src/m00/elsewhere.txt"
}

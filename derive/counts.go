package derive

import "github.com/assay-bench/assay/schema"

// believable is a count of passed tests, or none where more passed than there are:
// a share above 1 would be no share, and fewer than no regressions none.
func believable(n schema.PassedTotal) (schema.PassedTotal, bool) {
	if n.Passed > n.Total {
		return schema.PassedTotal{}, false
	}
	return n, true
}

// believeTests leaves out the counts of test_results.json that cannot be.
func (r *Run) believeTests(l listed) listed {
	for _, c := range []struct {
		pointer string
		count   *schema.PassedTotal
	}{{"/counts/fail_to_pass", &l.failToPass}, {"/counts/pass_to_pass", &l.passToPass}} {
		n, ok := believable(*c.count)
		if !ok {
			r.findIn(schema.DocumentTestResults.File, &schema.MetricMismatch, 0, c.pointer, passedOf(*c.count), "at most as many passed as there are")
		}
		*c.count = n
	}
	return l
}

// believeTestRun is a test_run without the counts that cannot be.
func (r *Run) believeTestRun(c *schema.TestRun, line int64) *schema.TestRun {
	believed := *c
	for _, count := range []**schema.PassedTotal{&believed.FailToPass, &believed.PassToPass} {
		if *count == nil {
			continue
		}
		if _, ok := believable(**count); !ok {
			r.overfull.add(line, passedOf(**count))
			*count = nil
		}
	}
	return &believed
}

package main

import (
	"fmt"
	"sync"
)

// A figure is what was measured of one question in one design.
type figure struct {
	question question
	design   Design
	// covered of intervals hold the truth; studies without an interval are not among them.
	covered, intervals int
	// coveredNull of intervalsNull hold a difference of zero where there is none.
	coveredNull, intervalsNull int
	// rejected of tested true nulls.
	rejected, tested int
	// studies is the number of them.
	studies int
}

// alpha is the level of the tests.
const alpha = 0.05

// campaign measures one question in all designs that ask it.
func campaign(q, studies, draws int, seed uint64, workers int) []figure {
	var out []figure
	for d := range designs {
		if !asks(questions[q], designs[d]) {
			continue
		}
		out = append(out, measure(q, d, studies, draws, seed, workers))
	}
	return out
}

func asks(q question, d Design) bool {
	return (q.rates || !d.RatesOnly) && (q.fits == nil || q.fits(d))
}

// measure draws the studies, each from its own seed, and counts in their order.
func measure(q, d, studies, draws int, seed uint64, workers int) figure {
	answers := make([][2]answer, studies)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < studies; i += workers {
				for k, null := range []bool{false, true} {
					s := newStudy(designs[d], seed, uint64(d), uint64(q), uint64(2*i+k))
					answers[i][k] = questions[q].ask(s, draws, null)
				}
			}
		})
	}
	group.Wait()
	f := figure{question: questions[q], design: designs[d], studies: studies}
	for _, a := range answers {
		if a[0].interval {
			f.intervals++
		}
		if a[0].covers {
			f.covered++
		}
		if a[1].interval {
			f.intervalsNull++
		}
		if a[1].covers {
			f.coveredNull++
		}
		if a[1].tested {
			f.tested++
		}
		if a[1].tested && a[1].p <= alpha {
			f.rejected++
		}
	}
	return f
}

// head is that of the printed table.
const head = `| table | quantity | method | design | covered | covered, no effect | null rejected | no interval |
|:--|:--|:--|:--|--:|--:|--:|--:|
`

// String is the figure's line of the table. A coverage below 93.5% or above 96.5%
// and a rejection above 6% are set in bold type.
func (f figure) String() string {
	covered, still, rejected, none := "", "", "", ""
	if f.intervals > 0 {
		covered = percent(f.covered, f.intervals, 0.935, 0.965)
		if f.intervals < f.studies {
			none = fmt.Sprintf("%.1f%%", 100*float64(f.studies-f.intervals)/float64(f.studies))
		}
	}
	if f.intervalsNull > 0 {
		still = percent(f.coveredNull, f.intervalsNull, 0.935, 0.965)
	}
	if f.intervals == 0 && f.tested == 0 {
		none = "100.0%"
	}
	if f.tested > 0 {
		rejected = percent(f.rejected, f.tested, 0, 0.06)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", f.question.tables, f.question.what, f.question.method, f.design.Name, covered, still, rejected, none)
}

func percent(n, of int, least, most float64) string {
	share := float64(n) / float64(of)
	if share < least || share > most {
		return fmt.Sprintf("**%.1f%%**", 100*share)
	}
	return fmt.Sprintf("%.1f%%", 100*share)
}

package main

import (
	"math/rand/v2"

	"github.com/assay-bench/assay/eval/gate"
)

// Design is one situation that a gate may find itself in. Every task is a hit or a miss on both sides.
type Design struct {
	// Tasks is how many tasks there are.
	Tasks int
	// Discordance is the share of tasks that change sides though nothing truly changed: half of them are lost
	// and half are won. It is 0 for a deterministic tool and grows with whatever is random in one.
	Discordance float64
	// Loss is the true loss: the share of tasks that are lost on top of that.
	Loss float64
}

// Rates say how often the gate called Design a regression: a false alarm where there is no true loss, and a miss
// for every time it did not where there is one.
type Rates struct {
	// Default is with the default limits, Significant with the sign test beside them.
	Default, Significant float64
}

// The grid of designs, in the order of the printed tables.
var (
	taskCounts   = []int{50, 200, 1000}
	discordances = []float64{0, 0.02, 0.05, 0.10, 0.20}
	losses       = []float64{0, 0.02, 0.05, 0.10}
)

// simulate draws a design so many times and lets the gate decide each. The same seed gives the same rates.
func simulate(d Design, draws int, seed uint64) Rates {
	random := rand.New(rand.NewPCG(seed, 0))
	decided := map[[2]int][2]bool{}
	var alarms [2]int
	for range draws {
		lost, won := draw(d, random)
		key := [2]int{lost, won}
		verdicts, known := decided[key]
		if !known {
			verdicts = decide(d.Tasks, lost, won)
			decided[key] = verdicts
		}
		for i, alarm := range verdicts {
			if alarm {
				alarms[i]++
			}
		}
	}
	return Rates{float64(alarms[0]) / float64(draws), float64(alarms[1]) / float64(draws)}
}

// draw is how many tasks are lost and won in one draw of a design.
func draw(d Design, random *rand.Rand) (lost, won int) {
	losing, winning := d.Discordance/2+d.Loss, d.Discordance/2
	for range d.Tasks {
		switch u := random.Float64(); {
		case u < losing:
			lost++
		case u < losing+winning:
			won++
		}
	}
	return lost, won
}

// decide asks the gate itself, with the default limits and with the sign test beside them. The baseline hits
// half of its tasks; the difference of two rates does not depend on it.
func decide(tasks, lost, won int) [2]bool {
	hits := tasks / 2
	change := gate.Change{
		Baseline: gate.Fraction(int64(hits), int64(tasks)), Current: gate.Fraction(int64(hits-lost+won), int64(tasks)),
		Paired: true, Lost: lost, Won: won,
	}
	opts := gate.DefaultOptions()
	plain := gate.Decide(gate.HitAt10, change, opts) == gate.Regressed
	opts.Significant = true
	return [2]bool{plain, gate.Decide(gate.HitAt10, change, opts) == gate.Regressed}
}

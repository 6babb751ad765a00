package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A Planning is what a test shall achieve.
type Planning struct {
	// Alpha is the two-sided level, such as 0.05.
	Alpha float64
	// Power is the probability to reject, such as 0.8.
	Power float64
}

// DefaultPlanning is a two-sided level of 0.05 with power 0.8.
func DefaultPlanning() Planning { return Planning{Alpha: 0.05, Power: 0.8} }

// A PairedRatesPlan is a paired comparison of two rates, one run a task and arm.
type PairedRatesPlan struct {
	// Discordance is the share of tasks on which the arms differ. It must be at
	// least the absolute difference.
	Discordance float64
	// Difference is the first rate minus the second.
	Difference float64
}

// PlanOf takes the observed discordance and difference of pairs as a plan.
func PlanOf(c PairedCells) (PairedRatesPlan, Reason) {
	d, reason := c.Difference()
	if !reason.OK() {
		return PairedRatesPlan{}, reason
	}
	return PairedRatesPlan{Discordance: float64(c.FirstOnly+c.SecondOnly) / float64(c.Pairs()), Difference: d}, ""
}

// Power is the probability that the exact McNemar test rejects with this many
// tasks: an enumeration of the discordant pairs, not a simulation. Outcomes that
// are all but impossible (below 1e-12 in sum) are left out.
func (p PairedRatesPlan) Power(tasks int, alpha float64) float64 {
	if p.Discordance <= 0 || math.Abs(p.Difference) > p.Discordance {
		return 0
	}
	n := float64(tasks)
	better := (p.Discordance + math.Abs(p.Difference)) / (2 * p.Discordance)
	middle, spread := n*p.Discordance, 8*math.Sqrt(n*p.Discordance*(1-p.Discordance))+8
	var power float64
	first := math.Max(0, math.Floor(middle-spread))
	critical := mcnemarCritical(first, alpha)
	for d := first; d <= math.Min(n, middle+spread); d++ {
		// One more discordant pair moves the critical value by one at most.
		if mcnemarRejects(critical+1, d, alpha) {
			critical++
		}
		if critical >= 0 {
			reject := dist.BinomialCDF(critical, d, better) + dist.BinomialCDF(critical, d, 1-better)
			power += dist.BinomialPMF(d, n, p.Discordance) * reject
		}
	}
	return math.Min(1, power)
}

// mcnemarRejects says whether the exact test rejects with the given smaller cell.
func mcnemarRejects(smaller, discordant, alpha float64) bool {
	return 2*smaller < discordant && 2*dist.BinomialCDF(smaller, discordant, 0.5) <= alpha
}

// mcnemarCritical is the largest smaller cell at which the exact test rejects,
// -1 where none does.
func mcnemarCritical(discordant, alpha float64) float64 {
	low, high := -1.0, math.Floor(discordant/2)
	for low < high {
		if mid := math.Ceil((low + high) / 2); mcnemarRejects(mid, discordant, alpha) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// steadyTasks is for how many further sizes a plan must hold: the power of an
// exact test goes up and down by a little from one size to the next.
const steadyTasks = 10

// RequiredTasks is the smallest number of tasks from which on, for ten sizes in
// a row, the exact McNemar test has the power. Undefined where there is no
// difference; TooFew where a million tasks do not do.
func (p PairedRatesPlan) RequiredTasks(g Planning) (int, Reason) {
	if p.Difference == 0 || math.Abs(p.Difference) > p.Discordance {
		return 0, Undefined
	}
	return smallestSteady(func(n int) bool { return p.Power(n, g.Alpha) >= g.Power })
}

// smallestSteady is the smallest n for which enough holds from n on, as far as it is looked at.
func smallestSteady(enough func(n int) bool) (int, Reason) {
	const most = 1_000_000
	high := 2
	for !enough(high) {
		if high *= 2; high > most {
			return 0, TooFew
		}
	}
	low := high / 2
	for low+1 < high {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	// Near the threshold the power wavers: walk on until it holds.
	for steady := 0; steady < steadyTasks; high++ {
		if enough(high) {
			steady++
		} else {
			steady = 0
		}
	}
	return high - steadyTasks, ""
}

// DetectableRateDifference is the smallest difference that the exact McNemar
// test finds with the power, given the observed discordance: what a study that
// found nothing could have shown. Where the difference would exceed the
// discordance, the discordance grows with it. TooFew where not even a difference
// of 1 is found.
func DetectableRateDifference(tasks int, discordance float64, g Planning) (float64, Reason) {
	power := func(d float64) float64 {
		return PairedRatesPlan{Discordance: math.Max(discordance, d), Difference: d}.Power(tasks, g.Alpha)
	}
	if power(1) < g.Power {
		return 0, TooFew
	}
	low, high := 0.0, 1.0
	for range 40 {
		if mid := (low + high) / 2; power(mid) >= g.Power {
			high = mid
		} else {
			low = mid
		}
	}
	return high, ""
}

// RequiredTasksBound is the normal approximation of RequiredTasks (Connor,
// Biometrics 43 (1987) 207-211): quick, and some percent too low.
func (p PairedRatesPlan) RequiredTasksBound(g Planning) (int, Reason) {
	if p.Difference == 0 || math.Abs(p.Difference) > p.Discordance {
		return 0, Undefined
	}
	za, zb := -dist.NormalQuantile(g.Alpha/2), dist.NormalQuantile(g.Power)
	d := p.Difference
	root := za*math.Sqrt(p.Discordance) + zb*math.Sqrt(p.Discordance-d*d)
	return int(math.Ceil(root * root / (d * d))), ""
}

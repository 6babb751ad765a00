package stats

import (
	"cmp"
	"math"
	"slices"
)

// A DisagreementMetric is how far apart two ratings are.
type DisagreementMetric uint8

// The metrics of Krippendorff's alpha.
const (
	// NominalMetric: equal or not.
	NominalMetric DisagreementMetric = iota
	// OrdinalMetric: the ratings that lie between, by their frequencies.
	OrdinalMetric
	// IntervalMetric: the squared difference.
	IntervalMetric
	// RatioMetric: the squared difference over the sum.
	RatioMetric
)

// A KrippendorffResult is the agreement of any number of raters with gaps.
type KrippendorffResult struct {
	// Alpha is 1 for perfect agreement, 0 for what chance gives.
	Alpha float64
	// Observed and Expected are the disagreements whose ratio is 1 - Alpha.
	Observed, Expected float64
	// Pairable is the number of ratings of units with at least two.
	Pairable float64
	// Reason is NoData where no unit has two ratings, or Undefined where all
	// ratings are equal.
	Reason Reason
}

// KrippendorffAlpha is the agreement of raters on units (Krippendorff, Content
// Analysis, 3rd ed., 2013, ch. 12). Each unit lists the ratings it got; who gave
// them does not matter, and units with fewer than two do not count.
func KrippendorffAlpha(ratingsByUnit [][]float64, metric DisagreementMetric) KrippendorffResult {
	var values []float64
	for _, ratings := range ratingsByUnit {
		if len(ratings) > 1 {
			values = append(values, ratings...)
		}
	}
	if len(values) == 0 {
		return KrippendorffResult{Reason: NoData}
	}
	slices.SortFunc(values, cmp.Compare)
	values = slices.Compact(values)
	pairs := coincidences(ratingsByUnit, values)
	margins := make([]float64, len(values))
	var out KrippendorffResult
	for i, row := range pairs {
		margins[i] = sumOf(row)
		out.Pairable += margins[i]
	}
	for i, row := range pairs {
		for j, n := range row {
			d := metric.distance(values, margins, i, j)
			out.Observed += n * d / out.Pairable
			out.Expected += margins[i] * margins[j] * d / (out.Pairable * (out.Pairable - 1))
		}
	}
	if out.Expected == 0 {
		out.Reason = Undefined
		return out
	}
	out.Alpha = 1 - out.Observed/out.Expected
	return out
}

// coincidences counts ordered pairs of ratings within units, each unit with the
// weight of its ratings.
func coincidences(ratingsByUnit [][]float64, values []float64) [][]float64 {
	pairs := square(len(values))
	for _, ratings := range ratingsByUnit {
		for i, a := range ratings {
			for j, b := range ratings {
				if i != j {
					r, _ := slices.BinarySearch(values, a)
					c, _ := slices.BinarySearch(values, b)
					pairs[r][c] += 1 / float64(len(ratings)-1)
				}
			}
		}
	}
	return pairs
}

func (m DisagreementMetric) distance(values, margins []float64, i, j int) float64 {
	if i == j {
		return 0
	}
	d := values[i] - values[j]
	switch m {
	case OrdinalMetric:
		between := sumOf(margins[min(i, j):max(i, j)+1]) - (margins[i]+margins[j])/2
		return between * between
	case IntervalMetric:
		return d * d
	case RatioMetric:
		if d == 0 || values[i]+values[j] == 0 {
			return 0
		}
		return math.Pow(d/(values[i]+values[j]), 2)
	}
	return 1
}

package stats

import "math"

// Mean is the arithmetic mean, summed in doubled precision; NoData without values.
func Mean(x []float64) (float64, Reason) {
	if len(x) == 0 {
		return 0, NoData
	}
	return mean(x), ""
}

func mean(x []float64) float64 { return sumOf(x) / float64(len(x)) }

// SD is the standard deviation with n-1. One value has none: TooFew.
func SD(x []float64) (float64, Reason) {
	switch len(x) {
	case 0:
		return 0, NoData
	case 1:
		return 0, TooFew
	}
	return math.Sqrt(sumOfSquaredDeviations(x) / float64(len(x)-1)), ""
}

// sumOfSquaredDeviations is the two-pass sum, corrected for the rounding of the mean.
func sumOfSquaredDeviations(x []float64) float64 {
	m := mean(x)
	var squares, rest twofold
	for _, v := range x {
		d := v - m
		squares.addProduct(d, d)
		rest.add(d)
	}
	r := rest.value()
	return math.Max(0, squares.value()-r*r/float64(len(x)))
}

// TrimmedMean leaves out the given share of the values at each end, rounded
// down to whole values. At one half and above it is the median.
func TrimmedMean(x []float64, share float64) (float64, Reason) {
	if len(x) == 0 {
		return 0, NoData
	}
	if share >= 0.5 {
		return Median(x)
	}
	s := sortedCopy(x)
	cut := int(math.Floor(float64(len(s)) * share))
	return mean(s[cut : len(s)-cut]), ""
}

// GeometricMean is exp of the mean logarithm; Undefined where a value is not
// positive.
func GeometricMean(x []float64) (float64, Reason) {
	if len(x) == 0 {
		return 0, NoData
	}
	logs := make([]float64, len(x))
	for i, v := range x {
		if v <= 0 {
			return 0, Undefined
		}
		logs[i] = math.Log(v)
	}
	return math.Exp(mean(logs)), ""
}

// Autocorrelation is that at lag 1: a cheap sign that values in a given order,
// such as runs by time, are not independent. Undefined where all are equal.
func Autocorrelation(x []float64) (float64, Reason) {
	if len(x) < 2 {
		return 0, TooFew
	}
	m := mean(x)
	deviations := make([]float64, len(x))
	for i, v := range x {
		deviations[i] = v - m
	}
	rest := mean(deviations) // the rounding of m
	var above, below twofold
	for i := range deviations {
		deviations[i] -= rest
		below.addProduct(deviations[i], deviations[i])
		if i > 0 {
			above.addProduct(deviations[i], deviations[i-1])
		}
	}
	if below.value() == 0 {
		return 0, Undefined
	}
	return above.value() / below.value(), ""
}

// sqrtInt is the square root of a count.
func sqrtInt(n int) float64 { return math.Sqrt(float64(n)) }

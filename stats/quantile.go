package stats

import (
	"math"
	"slices"
)

// A QuantileType is one of the nine rules of Hyndman and Fan, The American
// Statistician 50 (1996) 361-365.
type QuantileType uint8

// The types. Type7 is the default, as in R and NumPy.
const (
	Type1 QuantileType = iota + 1
	Type2
	Type3
	Type4
	Type5
	Type6
	Type7
	Type8
	Type9
)

// quantileFuzz keeps a position such as 3*(1/3) from falling below 1.
const quantileFuzz = 4 * 0x1p-52

// Quantile is the quantile p of values in any order, NoData where there are none.
func Quantile(x []float64, p float64, kind QuantileType) (float64, Reason) {
	if len(x) == 0 {
		return 0, NoData
	}
	return quantileSorted(sortedCopy(x), p, kind), ""
}

func sortedCopy(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// quantileSorted is Quantile of at least one value in rising order.
func quantileSorted(s []float64, p float64, kind QuantileType) float64 {
	if kind == Type7 {
		return quantile7(s, p)
	}
	position, share := quantilePosition(float64(len(s)), p, kind)
	// The value at a position before the first or after the last is that one.
	at := func(i float64) float64 { return s[int(math.Min(math.Max(i, 1), float64(len(s))))-1] }
	switch share {
	case 0:
		return at(position)
	case 1:
		return at(position + 1)
	}
	return (1-share)*at(position) + share*at(position+1)
}

// quantilePosition gives the position, counted from 1, and the share of the next one.
func quantilePosition(n, p float64, kind QuantileType) (position, share float64) {
	switch kind {
	case Type1, Type2, Type3:
		h := n * p
		if kind == Type3 {
			h -= 0.5
		}
		position = math.Floor(h + quantileFuzz)
		above := h > position+quantileFuzz*math.Max(1, h)
		switch {
		case kind == Type1 && above, kind == Type2 && above, kind == Type3 && (above || math.Mod(position, 2) != 0):
			return position, 1
		case kind == Type2:
			return position, 0.5
		}
		return position, 0
	}
	a, b := quantileConstants(kind)
	h := a + p*(n+1-a-b)
	position = math.Floor(h + quantileFuzz)
	share = h - position
	if math.Abs(share) < quantileFuzz {
		share = 0
	}
	return position, share
}

// quantileConstants are the plotting position constants of types 4 to 9.
func quantileConstants(kind QuantileType) (a, b float64) {
	switch kind {
	case Type4:
		return 0, 1
	case Type5:
		return 0.5, 0.5
	case Type6:
		return 0, 0
	case Type8:
		return 1.0 / 3, 1.0 / 3
	case Type9:
		return 3.0 / 8, 3.0 / 8
	}
	panic("stats: no such quantile type")
}

// quantile7 interpolates linearly between order statistics at (n-1)p.
func quantile7(s []float64, p float64) float64 {
	h := p * float64(len(s)-1)
	lower := math.Floor(h)
	i := int(lower)
	if i+1 >= len(s) {
		return s[len(s)-1]
	}
	share := h - lower
	if share == 0 {
		return s[i]
	}
	return s[i] + share*(s[i+1]-s[i])
}

// Median is the type 7 quantile at one half.
func Median(x []float64) (float64, Reason) { return Quantile(x, 0.5, Type7) }

// IQR is the distance between the type 7 quartiles.
func IQR(x []float64) (float64, Reason) {
	if len(x) == 0 {
		return 0, NoData
	}
	s := sortedCopy(x)
	return quantile7(s, 0.75) - quantile7(s, 0.25), ""
}

// MAD is the median absolute deviation from the median, times 1.4826 so that it
// estimates the standard deviation of normal data (Rousseeuw and Croux, JASA 88
// (1993) 1273-1283).
func MAD(x []float64) (float64, Reason) {
	m, reason := Median(x)
	if !reason.OK() {
		return 0, reason
	}
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = math.Abs(v - m)
	}
	m, _ = Median(d)
	return 1.4826 * m, ""
}

package dist_test

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/stats/dist"
)

// tailsCSV holds function, arguments and value, one a line, from mpmath 1.3.0
// with 60 digits (30 for the noncentral t, by quadrature) at the binary64
// values of the arguments.
//
//go:embed testdata/tails.csv
var tailsCSV string

func TestTailsAgainstMpmath(t *testing.T) {
	functions := map[string]func(a []float64) float64{
		"t2":      func(a []float64) float64 { return dist.StudentTTwoSided(a[0], a[1]) },
		"logt2":   func(a []float64) float64 { return dist.StudentTLogTwoSided(a[0], a[1]) },
		"fup":     func(a []float64) float64 { return dist.FSurvival(a[0], a[1], a[2]) },
		"flo":     func(a []float64) float64 { return dist.FCDF(a[0], a[1], a[2]) },
		"logfup":  func(a []float64) float64 { return dist.FLogSurvival(a[0], a[1], a[2]) },
		"cup":     func(a []float64) float64 { return dist.ChiSquaredSurvival(a[0], a[1]) },
		"clo":     func(a []float64) float64 { return dist.ChiSquaredCDF(a[0], a[1]) },
		"logcup":  func(a []float64) float64 { return dist.ChiSquaredLogSurvival(a[0], a[1]) },
		"nup":     func(a []float64) float64 { return dist.NormalSurvival(a[0]) },
		"lognup":  func(a []float64) float64 { return dist.NormalLogSurvival(a[0]) },
		"blo":     func(a []float64) float64 { return dist.BetaCDF(a[0], a[1], a[2]) },
		"bup":     func(a []float64) float64 { return dist.BetaSurvival(a[0], a[1], a[2]) },
		"bpmf":    func(a []float64) float64 { return dist.BinomialPMF(a[0], a[1], a[2]) },
		"logbpmf": func(a []float64) float64 { return dist.LogBinomialPMF(a[0], a[1], a[2]) },
		"hpmf":    func(a []float64) float64 { return dist.HypergeometricPMF(a[0], a[1], a[2], a[3]) },
		"nct":     func(a []float64) float64 { return dist.NoncentralTSurvival(a[0], a[1], a[2]) },
	}
	for _, line := range strings.Split(strings.TrimSpace(tailsCSV), "\n") {
		f := strings.Split(line, ",")
		var args []float64
		for _, s := range strings.Fields(f[1]) {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		want, err := strconv.ParseFloat(f[2], 64)
		if err != nil && want != 0 {
			t.Fatal(err)
		}
		tolerance := 1e-12
		if strings.HasPrefix(f[0], "b") && args[2] >= 1e5 || strings.HasPrefix(f[0], "f") && args[2] >= 1e5 {
			// The argument itself is known to 1e-16 only; a sum of 1e6 terms magnifies it.
			tolerance = 1e-10
		}
		got := functions[f[0]](args)
		if math.Abs(got-want) > tolerance*math.Abs(want)+5e-324 {
			t.Errorf("%s(%s) = %.17g, want %.17g, relative error %.1e", f[0], f[1], got, want, got/want-1)
		}
	}
}

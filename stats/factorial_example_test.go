package stats_test

import (
	"fmt"

	"github.com/assay-bench/assay/stats"
)

// Four tasks were run with and without a tool: the effect of the tool is the mean
// of the paired differences 1, 2, 3 and 6.
func ExampleAnalyzeFactorial() {
	tool := stats.NewFactor("tool", []string{"off", "on", "off", "on", "off", "on", "off", "on"}, []string{"off", "on"})
	f, err := stats.AnalyzeFactorial(stats.FactorialDesign{
		Factors:  []stats.Factor{tool},
		Response: []float64{1, 2, 4, 6, 2, 5, 3, 9},
		Block:    []int{0, 0, 1, 1, 2, 2, 3, 3},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := f.Contrasts[0].Difference
	fmt.Printf("%s: %.2f (%.2f to %.2f), t(%.0f) = %.2f\n", d.Name, d.Estimate, d.CI.Low, d.CI.High, d.DF, d.Statistic)
	// Output: on - off: 3.00 (-0.44 to 6.44), t(3) = 2.78
}

package stats

import (
	"math/rand/v2"
	"testing"
)

// simulatedFactorial is a 2x2x3 study of tasks, one run a task and arm.
func simulatedFactorial(tasks int, seed uint64) FactorialDesign {
	r := rand.New(rand.NewPCG(seed, 1))
	d := FactorialDesign{}
	names := []string{"retrieval", "model", "prompt"}
	levels := [][]string{{"off", "on"}, {"small", "large"}, {"plain", "plan", "critique"}}
	codes := make([][]int, 3)
	for task := range tasks {
		ease := r.NormFloat64()
		for arm := range 12 {
			set := []int{arm % 2, arm / 2 % 2, arm / 4}
			for k, s := range set {
				codes[k] = append(codes[k], s)
			}
			d.Response = append(d.Response, ease+0.3*float64(set[0])+r.NormFloat64())
			d.Block = append(d.Block, task)
		}
	}
	for k, name := range names {
		d.Factors = append(d.Factors, Factor{Name: name, Levels: levels[k], Codes: codes[k]})
	}
	return d
}

func BenchmarkFactorial500Tasks(b *testing.B) {
	d := simulatedFactorial(500, 7)
	for b.Loop() {
		if _, err := AnalyzeFactorial(d); err != nil {
			b.Fatal(err)
		}
	}
}

package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/assay-bench/assay/stats"
)

// benchStats measures resampling, the factorial and the mixed model in this
// process, and statsmodels on the data of the last.
func benchStats(dir string, rounds int) error {
	fmt.Printf("%d tasks x %d arms; a crossed study of %d runs; %s\n\n", studyTasks, studyArms, studyTasks*crossedAgents, processor())
	study, crossed := newBigStudy(), newCrossedStudy()
	paired := func(pairs int, mean func(differences [][]float64) stats.Reason) func() error {
		return func() error { return pairedMeans(study, pairs, mean) }
	}
	var fit *stats.MixedFit
	list := []*timed{
		{name: "paired mean, bootstrap t as tables print it, 10,000 draws: 11 arms against the first", run: paired(studyArms-1, studentized)},
		{name: "the same, all 66 pairs of arms", run: paired(studyArms*(studyArms-1)/2, studentized)},
		{name: "paired mean, BCa and sign flip, 10,000 draws: 11 arms against the first", run: paired(studyArms-1, accelerated)},
		{name: "factorial 2 x 2 x 3, 6,000 runs, clustered by task", run: func() error { _, err := stats.AnalyzeFactorial(study.FactorialDesign); return err }},
		{name: "mixed model, 10,000 runs, tasks and agents crossed, REML", run: func() (err error) { fit, err = crossed.fit(); return err }},
	}
	for round := range rounds + 1 {
		for _, t := range list {
			if err := t.once(round > 0); err != nil {
				return err
			}
		}
	}
	fmt.Println("| computation | wall s (min-max) |")
	fmt.Println("|---|--:|")
	for _, t := range list {
		fmt.Printf("| %s | %.3f (%.3f-%.3f) |\n", t.name, median(t.wall), slices.Min(t.wall), slices.Max(t.wall))
	}
	fmt.Println()
	figures := []target{
		{name: "11 paired means, s", value: median(list[0].wall), bound: 2},
		{name: "factorial, s", value: median(list[3].wall), bound: 2},
		{name: "mixed model, s", value: median(list[4].wall), bound: 5},
	}
	other, err := runStatsmodels(dir, crossed)
	if err != nil {
		printTargets(figures)
		fmt.Printf("statsmodels was left out: %v.\n\n", err)
		return nil
	}
	if err := other.agree(fit); err != nil {
		return err
	}
	printTargets(append(figures, target{name: "mixed model by statsmodels " + other.Version + ", s", value: other.Seconds, free: true},
		target{name: "statsmodels / assay", value: other.Seconds / median(list[4].wall), free: true},
		target{name: "difference of the restricted log-likelihoods", value: math.Abs(other.LogLik - fit.LogLik), free: true}))
	return nil
}

func studentized(differences [][]float64) stats.Reason {
	sums, counts := make([]float64, len(differences)), make([]float64, len(differences))
	for i, task := range differences {
		counts[i] = float64(len(task))
		for _, d := range task {
			sums[i] += d
		}
	}
	return stats.StudentizedMean(sums, counts, 0.95, stats.Resampling{Seed: 1}).IntervalReason
}

func accelerated(differences [][]float64) stats.Reason {
	return stats.PairedMean(differences, 0.95, stats.Resampling{Seed: 1}).Reason
}

// pairedMeans estimates the first so many pairs of arms.
func pairedMeans(study bigStudy, pairs int, mean func(differences [][]float64) stats.Reason) error {
	done := 0
	for first := range studyArms {
		for second := first + 1; second < studyArms && done < pairs; second++ {
			if why := mean(study.differences(second, first)); why != "" {
				return fmt.Errorf("paired mean: %s", why)
			}
			done++
		}
	}
	return nil
}

// A timed is a computation in this process.
type timed struct {
	name string
	run  func() error
	wall []float64
}

func (t *timed) once(counted bool) error {
	start := time.Now()
	err := t.run()
	if counted {
		t.wall = append(t.wall, time.Since(start).Seconds())
	}
	return err
}

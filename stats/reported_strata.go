package stats

import "slices"

// StratumAgainstRest is the mean response of one stratum minus that of all others
// together, runs weighing equally: least squares with CR2 errors by cluster and
// Satterthwaite's t (Pustejovsky and Tipton 2018, JBES 36:672). Columns have one
// entry a run, as for StratumHeterogeneity. It assumes independent clusters; with
// fewer than two strata it is TooFew.
func StratumAgainstRest(response []float64, strata Factor, stratum string, cluster []int, level float64) (Coefficient, error) {
	at := slices.Index(strata.Levels, stratum)
	if at < 0 || len(strata.Levels) < 2 {
		return Coefficient{Reason: TooFew}, nil
	}
	side := Factor{Name: strata.Name, Levels: []string{"rest", stratum}, Codes: make([]int, len(strata.Codes))}
	for i, c := range strata.Codes {
		switch {
		case c < 0:
			side.Codes[i] = -1
		case c == at:
			side.Codes[i] = 1
		}
	}
	f, err := AnalyzeFactorial(FactorialDesign{Factors: []Factor{side}, Response: response, Cluster: cluster, Level: level})
	if err != nil {
		return Coefficient{}, err
	}
	if !f.Reason.OK() {
		return Coefficient{Reason: f.Reason}, nil
	}
	if len(f.Contrasts) == 0 {
		return Coefficient{Reason: TooFew}, nil
	}
	return f.Contrasts[0].Difference, nil
}

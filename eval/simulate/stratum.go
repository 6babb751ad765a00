package simulate

import "github.com/assay-bench/assay/schema"

// A StratumTruth is what one harness expects on the tasks of one stratum, its arms
// and the other strata weighed equally.
type StratumTruth struct {
	// Harness is the harness.
	Harness string `json:"harness"`
	// Stratum is scenario or difficulty.
	Stratum string `json:"stratum"`
	// Level is the level of it.
	Level string `json:"level"`
	// Mean is the mean on its tasks.
	Mean float64 `json:"mean"`
	// Difference is that to the mean of all other levels.
	Difference float64 `json:"difference"`
}

// stratumTruths are the levels of both strata for each harness.
func (d *design) stratumTruths(p plantedMetric) []StratumTruth {
	var list []StratumTruth
	for _, harness := range d.study.Harnesses {
		for _, s := range []struct {
			name   string
			levels []string
		}{{scenarioKey, d.study.Scenarios}, {difficultyKey, d.study.Difficulties}} {
			if len(s.levels) > 1 {
				list = append(list, d.stratumLevels(p, harness, s.name, s.levels)...)
			}
		}
	}
	return list
}

func (d *design) stratumLevels(p plantedMetric, harness, name string, levels []string) []StratumTruth {
	means := make([]float64, len(levels))
	total := 0.0
	for i, level := range levels {
		v, ok := d.stratumMean(p, harness, schema.Member[string]{Name: name, Value: level}).Get()
		if !ok {
			return nil
		}
		means[i] = v
		total += v
	}
	var list []StratumTruth
	for i, level := range levels {
		others := (total - means[i]) / float64(len(levels)-1)
		list = append(list, StratumTruth{harness, name, level, roundSigned(means[i]), roundSigned(means[i] - others)})
	}
	return list
}

// stratumMean is the mean over the harness's arms and the strata with a level.
func (d *design) stratumMean(p plantedMetric, harness string, at schema.Member[string]) schema.Opt[float64] {
	level := Effect{At: schema.Members[string]{at}}
	sum, n := 0.0, 0
	for i := range d.arms {
		a := &d.arms[i]
		for _, st := range d.study.strata() {
			if a.Harness == harness && level.meets(st) && !(p.listed && a.silent) {
				m := d.study.means(a, st)
				sum, n = sum+p.of(a, &m), n+1
			}
		}
	}
	if n == 0 {
		return schema.None[float64]()
	}
	return schema.Some(sum / float64(n))
}

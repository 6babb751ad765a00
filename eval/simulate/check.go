package simulate

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/assay-bench/assay/schema"
)

// Check reports what is wrong with a study.
func (s *Study) Check() error {
	for _, c := range []struct {
		name string
		have int
		min  int
		max  int
	}{
		{"harnesses", len(s.Harnesses), 1, 100}, {"models", len(s.Models), 1, 100}, {"tasks", s.Tasks, 1, 9999},
		{"repositories", s.Repositories, 1, 99}, {"repetitions", s.Repetitions, 1, 10000},
		{"gold files", s.GoldFiles, 1, mostGold}, {"candidates", s.Candidates, leastCandidates, 1000}, {"steps", s.Steps, leastSteps, 10000},
	} {
		if c.have < c.min || c.have > c.max {
			return fmt.Errorf("%s: have %d, want %d to %d", c.name, c.have, c.min, c.max)
		}
	}
	if !schema.ValidID(s.ExperimentID) {
		return fmt.Errorf("experiment: have %q, want %s", s.ExperimentID, schema.FormID.Want())
	}
	for _, h := range s.Harnesses {
		if !schema.ValidID(h) {
			return fmt.Errorf("harness: have %q, want %s", h, schema.FormID.Want())
		}
	}
	if s.Spread < 0 || s.Spread > 1 || s.RepositoryShare < 0 || s.RepositoryShare > 1 {
		return fmt.Errorf("spread %g, repository share %g: want both from 0 to 1", s.Spread, s.RepositoryShare)
	}
	if err := s.checkFactors(); err != nil {
		return err
	}
	return s.checkMeans()
}

func (s *Study) checkFactors() error {
	known := schema.Members[[]string]{{Name: harnessKey, Value: s.Harnesses}, {Name: modelKey, Value: s.Models},
		{Name: scenarioKey, Value: s.Scenarios}, {Name: difficultyKey, Value: s.Difficulties}}
	roles, _ := schema.SetByName("factor_role")
	for _, f := range s.Factors {
		if _, ok := known.Get(f.Name); ok || f.Name == "" {
			return fmt.Errorf("factor: have the name %q, want one that is new and not harness, model, scenario or difficulty", f.Name)
		}
		if f.Role != "" && !roles.Has(f.Role) {
			return fmt.Errorf("factor %s: have the role %q, want retrieval, query, packing or other", f.Name, f.Role)
		}
		names := levelNames(f.Levels)
		if len(names) < 2 || !slices.Contains(names, f.Reference) {
			return fmt.Errorf("factor %s: have levels %q and reference %q, want two levels or more, the reference among them", f.Name, names, f.Reference)
		}
		for _, l := range f.Levels {
			if l.Fits < 0 || l.Fits > ranked {
				return fmt.Errorf("factor %s: level %s: have room for %d candidates, want 0 to %d", f.Name, l.Name, l.Fits, ranked)
			}
		}
		known = append(known, schema.Member[[]string]{Name: f.Name, Value: names})
	}
	for _, k := range known {
		if sorted := slices.Sorted(slices.Values(k.Value)); len(slices.Compact(sorted)) < len(k.Value) {
			return fmt.Errorf("%s: have one level twice in %q", k.Name, k.Value)
		}
		if i := slices.IndexFunc(k.Value, func(l string) bool { return l == "" || !utf8.ValidString(l) }); i >= 0 || !utf8.ValidString(k.Name) {
			return fmt.Errorf("%q: have levels %q, want names in UTF-8", k.Name, k.Value)
		}
	}
	return s.checkEffects(known)
}

func levelNames(levels []Level) []string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.Name
	}
	return names
}

func (s *Study) checkEffects(known schema.Members[[]string]) error {
	for _, e := range s.Effects {
		if !slices.Contains(Outcomes, e.Metric) {
			return fmt.Errorf("effects: have one on a metric that is none of %q", outcomeNames())
		}
		if len(e.At) == 0 || !finite(e.Size) {
			return fmt.Errorf("effect %s: want a level and a finite size", e)
		}
		for _, at := range e.At {
			if levels, ok := known.Get(at.Name); !ok || !slices.Contains(levels, at.Value) {
				return fmt.Errorf("effect %s: have %s=%s, want a factor and level of the study", e, at.Name, at.Value)
			}
		}
	}
	return nil
}

// checkMeans holds the mean of every arm in every stratum to probabilities.
func (s *Study) checkMeans() error {
	for _, a := range s.arms() {
		for _, st := range s.strata() {
			m := s.means(&a, st)
			for _, v := range []struct {
				metric *schema.Metric
				mean   float64
			}{{&schema.FileRecallAt10, m.recall}, {&schema.ResolvedAt1, m.resolved}} {
				if !(v.mean >= 0 && v.mean <= 1) {
					return fmt.Errorf("%s: have a mean of %g in arm %s on %s %s tasks, want effects that leave it between 0 and 1",
						v.metric.Name, v.mean, a.Name, st[1].Value, st[0].Value)
				}
			}
		}
	}
	return nil
}

// strata are all scenarios with all difficulties, by the names that effects use.
func (s *Study) strata() []schema.Members[string] {
	var list []schema.Members[string]
	for _, scenario := range orEmpty(s.Scenarios) {
		for _, difficulty := range orEmpty(s.Difficulties) {
			list = append(list, schema.Members[string]{{Name: scenarioKey, Value: scenario}, {Name: difficultyKey, Value: difficulty}})
		}
	}
	return list
}

func orEmpty(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

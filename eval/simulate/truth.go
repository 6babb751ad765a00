package simulate

import (
	"math"

	"github.com/assay-bench/assay/schema"
)

// A Truth is what is planted in a study: the numbers that tables estimate.
type Truth struct {
	// Simulated is true: nothing here was measured.
	Simulated bool `json:"simulated"`
	// Note says how to read the numbers.
	Note string `json:"note"`
	// ExperimentID names the experiment.
	ExperimentID string `json:"experiment_id"`
	// Seed decided every draw.
	Seed uint64 `json:"seed"`
	// Effects are the planted effects as flags write them.
	Effects []string `json:"effects"`
	// Arms are the arms' names, in the order of Study.Arms.
	Arms []string `json:"arms"`
	// Baseline is the arm at the reference level of every factor, of the first
	// harness and model: differences of arms are taken to it.
	Baseline string `json:"baseline"`
	// Metrics are the expectations by metric.
	Metrics []MetricTruth `json:"metrics"`
	// Counts are what the accounting must come to.
	Counts Counts `json:"counts"`
	// Excluded counts excluded runs by reason.
	Excluded schema.Members[int64] `json:"excluded"`
	// Faults are the planted faults.
	Faults []FaultTruth `json:"faults"`
}

// A MetricTruth is what a metric is expected to be.
type MetricTruth struct {
	// Metric is the metric's name.
	Metric string `json:"metric"`
	// Statistic is mean or median, over tasks drawn as this study draws them.
	Statistic string `json:"statistic"`
	// Arms is the expectation in each arm; null where the metric does not apply.
	Arms []schema.Opt[float64] `json:"arms"`
	// Differences are those of each arm to the baseline. Only means have them.
	Differences []schema.Opt[float64] `json:"differences,omitempty"`
	// Terms are main effects and two-factor interactions of factors with two
	// levels or more. Only means have terms.
	Terms []TermTruth `json:"terms,omitempty"`
	// Strata are the levels of scenario and difficulty by harness. Only means have
	// them.
	Strata []StratumTruth `json:"strata,omitempty"`
}

// truthNote stands in every truth.
const truthNote = "Simulated. Means and differences are expectations over tasks drawn as this study draws them, every stratum equally likely; estimates scatter about them."

// truth is the truth of a design.
func (d *design) truth() Truth {
	t := Truth{Simulated: true, Note: truthNote, ExperimentID: d.study.ExperimentID, Seed: d.seed, Effects: []string{}}
	for _, e := range d.study.Effects {
		t.Effects = append(t.Effects, e.String())
	}
	for i := range d.arms {
		t.Arms = append(t.Arms, d.arms[i].Name)
	}
	base := d.baseline()
	t.Baseline = d.arms[base].Name
	for _, p := range planted {
		m := MetricTruth{Metric: p.metric.Name, Statistic: p.statistic}
		for i := range d.arms {
			m.Arms = append(m.Arms, d.study.expected(&d.arms[i], p))
		}
		if p.statistic == statisticMean {
			m.Differences, m.Terms, m.Strata = differences(m.Arms, base), d.terms(m.Arms), d.stratumTruths(p)
		}
		t.Metrics = append(t.Metrics, m)
	}
	d.account(&t)
	return t
}

// baseline is the place of the first arm at the reference level of every factor.
func (d *design) baseline() int {
	var at Effect
	for _, f := range d.study.Factors {
		at.At = append(at.At, schema.Member[string]{Name: f.Name, Value: f.Reference})
	}
	for i := range d.arms {
		if at.meets(d.arms[i].levels) {
			return i
		}
	}
	panic("simulate: no arm at the reference levels of a study that was checked")
}

// differences are those to the value at a place; none where either is missing.
func differences(values []schema.Opt[float64], base int) []schema.Opt[float64] {
	list := make([]schema.Opt[float64], len(values))
	reference, known := values[base].Get()
	for i := range values {
		if v, ok := values[i].Get(); ok && known {
			list[i] = schema.Some(roundSigned(v - reference))
		}
	}
	return list
}

// Truth is what is planted in the study at its own seed.
func (s Study) Truth() (Truth, error) {
	d, err := s.lay(s.Seed)
	if err != nil {
		return Truth{}, err
	}
	return d.truth(), nil
}

// The statistics of which an expectation is known.
const (
	statisticMean   = "mean"
	statisticMedian = "median"
)

// A plantedMetric is a metric whose expectation follows from a mean.
type plantedMetric struct {
	metric    *schema.Metric
	statistic string
	// listed metrics need a ranked list: they do not apply to silent arms.
	listed bool
	of     func(a *Arm, m *mean) float64
}

// planted lists the metrics whose expectation is known exactly. Found gold is
// spread evenly over the first ten ranks, so that k of them hold k/10 of it.
var planted = []plantedMetric{
	{&schema.ResolvedAt1, statisticMean, false, func(_ *Arm, m *mean) float64 { return m.resolved }},
	{&schema.FileRecallAt1, statisticMean, true, func(_ *Arm, m *mean) float64 { return m.recall * 1 / ranked }},
	{&schema.FileRecallAt5, statisticMean, true, func(_ *Arm, m *mean) float64 { return m.recall * 5 / ranked }},
	{&schema.FileRecallAt10, statisticMean, true, func(_ *Arm, m *mean) float64 { return m.recall }},
	{&schema.FunctionRecallAt10, statisticMean, true, func(_ *Arm, m *mean) float64 { return m.recall * nameShare }},
	{&schema.GoldWithinBudget, statisticMean, true, func(a *Arm, m *mean) float64 { return m.recall * float64(a.fits) / ranked }},
	{&schema.InputTokens, statisticMedian, false, func(_ *Arm, m *mean) float64 { return m.input }},
	{&schema.OutputTokens, statisticMedian, false, func(_ *Arm, m *mean) float64 { return m.output }},
	{&schema.WallTimeS, statisticMedian, false, func(_ *Arm, m *mean) float64 { return m.wall }},
}

// expected averages over the strata. Medians of strata that differ have no simple
// median: then there is none.
func (s *Study) expected(a *Arm, p plantedMetric) schema.Opt[float64] {
	if p.listed && a.silent {
		return schema.None[float64]()
	}
	strata := s.strata()
	sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
	for _, st := range strata {
		m := s.means(a, st)
		v := p.of(a, &m)
		sum, low, high = sum+v, min(low, v), max(high, v)
	}
	if p.statistic == statisticMedian && low < high {
		return schema.None[float64]()
	}
	return schema.Some(roundSigned(sum / float64(len(strata))))
}

package gate

import (
	"fmt"

	"github.com/assay-bench/assay/schema"
)

// MeasureOf is a metric of the registry as something to compare: rates and means by difference, counts and amounts in
// proportion. A metric of which neither more nor less is better, or one that is a word, cannot be gated.
func MeasureOf(m *schema.Metric) (Measure, error) {
	measure := Measure{Name: m.Name, Doc: m.Misleads}
	switch m.Direction {
	case schema.HigherBetter:
		measure.Direction = HigherIsBetter
	case schema.LowerBetter:
		measure.Direction = LowerIsBetter
	default:
		return Measure{}, fmt.Errorf("metric %s: have no direction, want one of which more or less is better", m.Name)
	}
	switch m.Kind {
	case schema.KindRate, schema.KindMean:
		measure.Kind = Rate
	case schema.KindCount, schema.KindAmount:
		measure.Kind = Amount
	default:
		return Measure{}, fmt.Errorf("metric %s: have kind %s, want a number", m.Name, m.Kind)
	}
	return measure, nil
}

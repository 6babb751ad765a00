package gate

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestMeasureOf(t *testing.T) {
	for _, c := range []struct {
		kind      schema.MetricKind
		direction schema.Direction
		want      Measure
		refused   bool
	}{
		{schema.KindRate, schema.HigherBetter, Measure{Name: "m", Kind: Rate, Direction: HigherIsBetter}, false},
		{schema.KindMean, schema.HigherBetter, Measure{Name: "m", Kind: Rate, Direction: HigherIsBetter}, false},
		{schema.KindCount, schema.LowerBetter, Measure{Name: "m", Kind: Amount, Direction: LowerIsBetter}, false},
		{schema.KindAmount, schema.LowerBetter, Measure{Name: "m", Kind: Amount, Direction: LowerIsBetter}, false},
		{schema.KindRate, schema.NoDirection, Measure{}, true},
		{schema.KindLabel, schema.HigherBetter, Measure{}, true},
	} {
		have, err := MeasureOf(&schema.Metric{Name: "m", Kind: c.kind, Direction: c.direction})
		if have != c.want || (err != nil) != c.refused {
			t.Errorf("%s, %s: have %+v, %v, want %+v", c.kind, c.direction, have, err, c.want)
		}
	}
}

// Every metric of the registry that has a direction can be gated.
func TestEveryDirectedMetricIsAMeasure(t *testing.T) {
	for _, m := range schema.Metrics {
		_, err := MeasureOf(m)
		if directed := m.Direction != schema.NoDirection && m.Kind != schema.KindLabel; directed != (err == nil) {
			t.Errorf("%s (%s, %s): have %v", m.Name, m.Kind, m.Direction, err)
		}
	}
}

package stats

import (
	"math"
	"testing"
)

// R 4.2: qt(0.975, 9) + qt(0.8, 9) = 2.262157 + 0.883404.
func TestDetectableByT(t *testing.T) {
	if have, want := DetectableByT(2, 9), 2*3.145561; math.Abs(have-want) > 1e-5 {
		t.Errorf("have %v, want %v", have, want)
	}
}

func TestDetectableIsMissing(t *testing.T) {
	one := []Observation{{Task: "a", Value: 1}}
	equal := []Observation{{Task: "a", Value: 0.5}, {Task: "b", Value: 0.5}}
	for _, c := range []struct {
		name          string
		first, second []Observation
	}{{"nothing", nil, nil}, {"one task", one, []Observation{{Task: "a", Value: 0.5}}}, {"no variation", equal, equal}} {
		p, err := ComparePaired(c.first, c.second, nil, PairedDefault, 0.95, Resampling{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := p.Detectable(); ok {
			t.Errorf("%s: have %v, want none", c.name, d)
		}
	}
}

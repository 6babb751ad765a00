package main

import (
	"math"
	"testing"
)

// exact sums the trinomial probabilities of every (lost, won) that the gate calls a regression.
func exact(d Design) Rates {
	losing, winning := d.Discordance/2+d.Loss, d.Discordance/2
	var rates Rates
	for lost := 0; lost <= d.Tasks; lost++ {
		for won := 0; won+lost <= d.Tasks; won++ {
			p := trinomial(d.Tasks, lost, won, losing, winning)
			if p < 1e-15 {
				continue
			}
			verdicts := decide(d.Tasks, lost, won)
			if verdicts[0] {
				rates.Default += p
			}
			if verdicts[1] {
				rates.Significant += p
			}
		}
	}
	return rates
}

func trinomial(n, lost, won int, losing, winning float64) float64 {
	logFactorial := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	power := func(p float64, k int) float64 {
		if k == 0 {
			return 0
		}
		return float64(k) * math.Log(p)
	}
	same := n - lost - won
	return math.Exp(logFactorial(n) - logFactorial(lost) - logFactorial(won) - logFactorial(same) +
		power(losing, lost) + power(winning, won) + power(1-losing-winning, same))
}

// The simulation agrees with the sum over all outcomes within four standard errors.
func TestSimulateAgreesWithTheSum(t *testing.T) {
	const draws = 4000
	for i, d := range designs() {
		if d.Tasks != 50 {
			continue
		}
		have, want := simulate(d, draws, uint64(i)), exact(d)
		for _, pair := range [][2]float64{{have.Default, want.Default}, {have.Significant, want.Significant}} {
			if tolerance := 4*math.Sqrt(pair[1]*(1-pair[1])/draws) + 1e-3; math.Abs(pair[0]-pair[1]) > tolerance {
				t.Errorf("%+v: have %.4f, want %.4f within %.4f", d, pair[0], pair[1], tolerance)
			}
		}
	}
}

// Two of 50 lost are past the limit: by hand, 1 - 0.98^50 - 50*0.02*0.98^49 = 0.26423.
func TestExactByHand(t *testing.T) {
	if have := exact(Design{Tasks: 50, Loss: 0.02}).Default; math.Abs(have-0.26423) > 5e-5 {
		t.Errorf("have %.5f, want 0.26423", have)
	}
	if have := exact(Design{Tasks: 50}); have != (Rates{}) {
		t.Errorf("nothing moves: have %+v, want no alarm", have)
	}
}

func TestSimulateIsRepeatable(t *testing.T) {
	d := Design{Tasks: 200, Discordance: 0.1, Loss: 0.02}
	if a, b := simulate(d, 500, 7), simulate(d, 500, 7); a != b {
		t.Errorf("have %+v and %+v, want the same", a, b)
	}
}

package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
)

// The page holds a line of every question and design, in the program's order, and
// the lines that are quick to make are the program's to the last digit.
func TestPageHoldsTheTable(t *testing.T) {
	document, err := os.ReadFile("../../../docs/validity.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := bytes.Cut(document, []byte(head))
	if !found {
		t.Fatalf("docs/validity.md: have no table with the head of `go run ./internal/campaign/coverage`")
	}
	table, _, _ := strings.Cut(string(after), "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	at := 0
	for q := range questions {
		for d := range designs {
			if !asks(questions[q], designs[d]) {
				continue
			}
			if at >= len(lines) {
				t.Fatalf("have %d lines, want more", len(lines))
			}
			want := "| " + strings.Join([]string{questions[q].tables, questions[q].what, questions[q].method, designs[d].Name}, " | ") + " |"
			if quick(q, d) {
				want = measure(q, d, defaultStudies, defaultDraws, 1, 2).String()
			}
			if !strings.HasPrefix(lines[at], want) {
				t.Errorf("line %d: have %s, want %s", at+1, lines[at], want)
			}
			at++
		}
	}
	if at != len(lines) {
		t.Errorf("have %d lines, want %d", len(lines), at)
	}
}

// quick says which lines take no resampling and few tasks.
func quick(q, d int) bool {
	return strings.Contains(questions[q].what, "one run") && designs[d].Tasks <= 40
}

// The workers and the order in which they end do not matter.
func TestMeasureIsRepeatable(t *testing.T) {
	for q := range questions {
		for d := range designs {
			if designs[d].Tasks != 12 || !asks(questions[q], designs[d]) {
				continue
			}
			if a, b := measure(q, d, 6, 50, 3, 1).String(), measure(q, d, 6, 50, 3, 4).String(); a != b {
				t.Errorf("have %s with one worker and %s with four", a, b)
			}
		}
	}
}

// The sampler gives the correlations and means that the design names.
func TestCoinKeepsItsDesign(t *testing.T) {
	d := Design{Tasks: 40_000, Repositories: 10_000, Rate: 0.3, Agreement: 0.5, Shared: 0.4}
	s := newStudy(d, 1, 0, 0, 0)
	c := s.coin(d.Rate)
	var sum, same, pairs, inside float64
	value := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	last := map[int]float64{}
	for task := range d.Tasks {
		a, b := value(c.toss(task))-d.Rate, value(c.toss(task))-d.Rate
		sum += a + b
		same += a * b
		if other, seen := last[s.repository[task]]; seen {
			inside += a * other
			pairs++
		}
		last[s.repository[task]] = a
	}
	variance := d.Rate * (1 - d.Rate)
	n := float64(d.Tasks)
	if math.Abs(sum/(2*n)) > 0.01 || math.Abs(same/n/variance-d.Agreement) > 0.02 {
		t.Errorf("mean off by %.4f, want 0; agreement %.3f, want %.1f", sum/(2*n), same/n/variance, d.Agreement)
	}
	// A run copies its task, a task its repository: the correlations multiply.
	if have, want := inside/pairs/variance, d.Agreement*d.Shared; math.Abs(have-want) > 0.03 {
		t.Errorf("tasks of a repository: have correlation %.3f, want %.3f", have, want)
	}
}

// The planted difference is the one that the design names.
func TestEffectIsPlanted(t *testing.T) {
	for _, d := range []Design{{Tasks: 100_000, Rate: 0.5, Agreement: 0.5}, {Tasks: 100_000, Rate: 0.95, Agreement: 0.5, RatesOnly: true}} {
		s := newStudy(d, 1, 0, 0, 0)
		o := s.outcomes()
		sum := 0.0
		for task := range d.Tasks {
			sum += o.run(task, true) - o.run(task, false)
		}
		if have := sum / float64(d.Tasks); math.Abs(have-d.effect()) > 0.006 {
			t.Errorf("rate %v: have %.4f, want %.4f", d.Rate, have, d.effect())
		}
	}
}

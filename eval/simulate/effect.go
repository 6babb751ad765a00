package simulate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// The names by which an effect refers to what is no factor.
const (
	harnessKey    = "harness"
	modelKey      = "model"
	scenarioKey   = "scenario"
	difficultyKey = "difficulty"
)

// An Effect changes an outcome of the runs that have all its levels.
type Effect struct {
	// Metric is the outcome, one of Outcomes.
	Metric *schema.Metric
	// At are the levels by factor name; harness, model, scenario and difficulty
	// count as factors.
	At schema.Members[string]
	// Size is added to the mean of a share, or to the natural logarithm of the
	// median of an amount.
	Size float64
}

// Outcomes are the metrics that an effect can be planted in.
var Outcomes = []*schema.Metric{&schema.FileRecallAt10, &schema.ResolvedAt1, &schema.InputTokens, &schema.OutputTokens, &schema.WallTimeS}

// effect makes an Effect from pairs of factor and level.
func effect(m *schema.Metric, size float64, at ...string) Effect {
	e := Effect{Metric: m, Size: size}
	for i := 0; i < len(at); i += 2 {
		e.At = append(e.At, schema.Member[string]{Name: at[i], Value: at[i+1]})
	}
	return e
}

// ParseEffect reads METRIC:FACTOR=LEVEL[,FACTOR=LEVEL…]:SIZE, such as
// resolved_at_1:retriever=dense:+0.1.
func ParseEffect(text string) (Effect, error) {
	name, rest, _ := strings.Cut(text, ":")
	i := strings.LastIndexByte(rest, ':')
	if i < 0 {
		return Effect{}, fmt.Errorf("effect: have %q, want METRIC:FACTOR=LEVEL:SIZE", text)
	}
	var e Effect
	for _, m := range Outcomes {
		if m.Name == name {
			e.Metric = m
		}
	}
	if e.Metric == nil {
		return Effect{}, fmt.Errorf("effect: have metric %q, want one of %s", name, strings.Join(outcomeNames(), ", "))
	}
	for pair := range strings.SplitSeq(rest[:i], ",") {
		factor, level, ok := strings.Cut(pair, "=")
		if !ok {
			return Effect{}, fmt.Errorf("effect: have %q, want FACTOR=LEVEL", pair)
		}
		e.At = append(e.At, schema.Member[string]{Name: factor, Value: level})
	}
	var err error
	if e.Size, err = strconv.ParseFloat(rest[i+1:], 64); err != nil || !finite(e.Size) {
		return Effect{}, fmt.Errorf("effect: have size %q, want a number", rest[i+1:])
	}
	return e, nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func outcomeNames() []string {
	names := make([]string, len(Outcomes))
	for i, m := range Outcomes {
		names[i] = m.Name
	}
	return names
}

// String prints the effect as ParseEffect reads it.
func (e Effect) String() string {
	pairs := make([]string, len(e.At))
	for i, at := range e.At {
		pairs[i] = at.Name + "=" + at.Value
	}
	return fmt.Sprintf("%s:%s:%+g", e.Metric.Name, strings.Join(pairs, ","), e.Size)
}

// sum adds the sizes of a metric's effects that a run with these levels has.
func (s *Study) sum(m *schema.Metric, levels schema.Members[string]) float64 {
	total := 0.0
	for i := range s.Effects {
		e := &s.Effects[i]
		if e.Metric == m && e.meets(levels) {
			total += e.Size
		}
	}
	return total
}

func (e *Effect) meets(levels schema.Members[string]) bool {
	for _, at := range e.At {
		if have, ok := levels.Get(at.Name); !ok || have != at.Value {
			return false
		}
	}
	return true
}

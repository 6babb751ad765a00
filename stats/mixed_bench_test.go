package stats

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkMixedCrossed10000 fits 10,000 runs of 500 tasks, in 50 repositories,
// by 20 agents, with three crossed or nested random intercepts.
func BenchmarkMixedCrossed10000(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 1))
	const tasks, agents, repos = 500, 20, 50
	task, agent, repo, arm := make([]int, 0), make([]int, 0), make([]int, 0), make([]int, 0)
	ease, skill := make([]float64, tasks), make([]float64, agents)
	for i := range ease {
		ease[i] = r.NormFloat64()
	}
	for i := range skill {
		skill[i] = r.NormFloat64() / 2
	}
	var y []float64
	for t := range tasks {
		for a := range agents {
			task, agent, repo, arm = append(task, t), append(agent, a), append(repo, t%repos), append(arm, (t+a)%2)
			y = append(y, ease[t]+skill[a]+0.2*float64((t+a)%2)+r.NormFloat64())
		}
	}
	levels := func(n int) []string { return make([]string, n) }
	frame := Frame{Factors: []Factor{{Name: "arm", Levels: []string{"off", "on"}, Codes: arm}}}
	d, err := NewDesign(frame, Model{Terms: []Term{{"arm"}}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	random := []RandomTerm{{Group: Factor{Name: "task", Levels: levels(tasks), Codes: task}},
		{Group: Factor{Name: "agent", Levels: levels(agents), Codes: agent}}, {Group: Factor{Name: "repo", Levels: levels(repos), Codes: repo}}}
	for b.Loop() {
		f, err := Mixed(d, y, random, true, 0.95)
		if err != nil || f.Reason != "" {
			b.Fatal(err, f.Reason)
		}
	}
}

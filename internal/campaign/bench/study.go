package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/assay-bench/assay/stats"
)

// A bigStudy is 500 tasks by 12 arms, a factorial of 2 x 2 x 3, one run each.
type bigStudy struct{ stats.FactorialDesign }

const (
	studyTasks = 500
	studyArms  = 12
)

func newBigStudy() bigStudy {
	r := rand.New(rand.NewPCG(7, 1))
	d := stats.FactorialDesign{}
	codes := make([][]int, 3)
	for task := range studyTasks {
		ease := r.NormFloat64()
		for arm := range studyArms {
			set := []int{arm % 2, arm / 2 % 2, arm / 4}
			for k, s := range set {
				codes[k] = append(codes[k], s)
			}
			d.Response = append(d.Response, ease+0.3*float64(set[0])+r.NormFloat64())
			d.Block = append(d.Block, task)
		}
	}
	d.Factors = []stats.Factor{{Name: "retrieval", Levels: []string{"off", "on"}, Codes: codes[0]},
		{Name: "model", Levels: []string{"small", "large"}, Codes: codes[1]}, {Name: "prompt", Levels: []string{"plain", "plan", "critique"}, Codes: codes[2]}}
	return bigStudy{d}
}

// differences of two arms by task.
func (b bigStudy) differences(first, second int) [][]float64 {
	out := make([][]float64, studyTasks)
	for task := range out {
		out[task] = []float64{b.Response[task*studyArms+first] - b.Response[task*studyArms+second]}
	}
	return out
}

// A crossedStudy is 10,000 runs: 500 tasks by 20 agents, crossed.
type crossedStudy struct {
	response         []float64
	arm, task, agent []int
}

const crossedAgents = 20

func newCrossedStudy() crossedStudy {
	r := rand.New(rand.NewPCG(5, 1))
	ease, skill := make([]float64, studyTasks), make([]float64, crossedAgents)
	for i := range ease {
		ease[i] = r.NormFloat64()
	}
	for i := range skill {
		skill[i] = r.NormFloat64() / 2
	}
	var c crossedStudy
	for t := range studyTasks {
		for a := range crossedAgents {
			arm := (t + a) % 2
			c.task, c.agent, c.arm = append(c.task, t), append(c.agent, a), append(c.arm, arm)
			c.response = append(c.response, ease[t]+skill[a]+0.2*float64(arm)+r.NormFloat64())
		}
	}
	return c
}

// fit is the mixed model with random intercepts of tasks and agents, by REML.
func (c crossedStudy) fit() (*stats.MixedFit, error) {
	frame := stats.Frame{Factors: []stats.Factor{{Name: "arm", Levels: []string{"off", "on"}, Codes: c.arm}}}
	d, err := stats.NewDesign(frame, stats.Model{Terms: []stats.Term{{"arm"}}}, nil)
	if err != nil {
		return nil, err
	}
	random := []stats.RandomTerm{{Group: stats.Factor{Name: "task", Levels: make([]string, studyTasks), Codes: c.task}},
		{Group: stats.Factor{Name: "agent", Levels: make([]string, crossedAgents), Codes: c.agent}}}
	f, err := stats.Mixed(d, c.response, random, true, 0.95)
	if err == nil && f.Reason != "" {
		err = fmt.Errorf("mixed model: %s", f.Reason)
	}
	return f, err
}

// write writes it as CSV: y, arm, task, agent.
func (c crossedStudy) write(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	w.Write([]string{"y", "arm", "task", "agent"})
	for i, y := range c.response {
		w.Write([]string{strconv.FormatFloat(y, 'g', -1, 64), strconv.Itoa(c.arm[i]), strconv.Itoa(c.task[i]), strconv.Itoa(c.agent[i])})
	}
	w.Flush()
	return w.Error()
}

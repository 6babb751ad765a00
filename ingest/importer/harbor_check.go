package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// above takes what a trial's result declares instead of what its trajectory does,
// and records where they differ.
func above[T comparable](s *source, t *trial, name string, own schema.Opt[T], total *schema.Opt[T]) {
	v, ok := own.Get()
	if !ok {
		return
	}
	if w, ok := total.Get(); ok {
		s.report.check(name+" against the trajectory", t.file.rel, fmt.Sprint(v), fmt.Sprint(w))
	}
	*total = own
}

// checkJob compares a job's own statistics with its trials.
func (s *source) checkJob(j *job) {
	if j.result.value == nil {
		return
	}
	st := &j.result.value.Stats
	exceptions, rewards, errors := map[string]int{}, map[string]int{}, 0
	for _, t := range j.trials {
		if e := t.result.Exception; e != nil {
			errors++
			exceptions[e.Type.Or("")]++
		}
		if n, ok := t.reward().Get(); ok {
			rewards[rewardKey(n)]++
		}
	}
	s.checkNumber(j, "trials", firstOf(st.Trials, st.Completed), len(j.trials))
	s.checkNumber(j, "errors", firstOf(st.Errors, st.Errored), errors)
	s.checkGroups(j, "reward ", st.rewardCounts(), rewards)
	s.checkGroups(j, "exception ", st.exceptionCounts(), exceptions)
}

func firstOf(a, b number) number {
	if a.text != "" {
		return a
	}
	return b
}

func (s *source) checkNumber(j *job, name string, declared number, found int) {
	if declared.text != "" {
		s.report.check(name, j.result.text.file.rel, declared.text, strconv.Itoa(found))
	}
}

// checkGroups compares counts by name, over the names of both sides.
func (s *source) checkGroups(j *job, what string, declared, found map[string]int) {
	if declared == nil {
		return
	}
	var names []string
	for n := range declared {
		names = append(names, n)
	}
	for n := range found {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		s.report.check(what+n, j.result.text.file.rel, strconv.Itoa(declared[n]), strconv.Itoa(found[n]))
	}
}

// rewardKey prints a reward so that 1, 1.0 and "1.0" are one.
func rewardKey(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// rewardCounts counts the trials by reward; nil where the job keeps no count.
func (st *harborStats) rewardCounts() map[string]int {
	var counts map[string]int
	for _, e := range st.Evals {
		for _, name := range e.Value.Rewards {
			if name.Name != rewardName {
				continue
			}
			for _, value := range name.Value {
				if counts == nil {
					counts = map[string]int{}
				}
				key := value.Name
				if n, err := strconv.ParseFloat(strings.TrimSpace(key), 64); err == nil {
					key = rewardKey(n)
				}
				counts[key] += len(value.Value)
			}
		}
	}
	return counts
}

// exceptionCounts counts the trials by exception; nil where the job keeps none.
func (st *harborStats) exceptionCounts() map[string]int {
	var counts map[string]int
	for _, e := range st.Evals {
		for _, value := range e.Value.Exceptions {
			if counts == nil {
				counts = map[string]int{}
			}
			counts[value.Name] += len(value.Value)
		}
	}
	return counts
}

package importer

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// nameTasks gives each trial its task. A name that two data sets of a job use is
// told apart by the data set.
func (s *source) nameTasks(j *job) {
	sources := map[string][]string{}
	for _, t := range j.trials {
		name, from := t.result.TaskName.Or(""), t.result.Source.Or("")
		if !slices.Contains(sources[name], from) {
			sources[name] = append(sources[name], from)
		}
	}
	for _, t := range j.trials {
		t.task = present(t.result.TaskName).Or(t.result.TrialName.Or(unknownID))
		if len(sources[t.result.TaskName.Or("")]) > 1 {
			t.task = t.result.Source.Or("") + "/" + t.task
		}
	}
}

// taskList is what is known of the tasks: no more than their ids.
func (j *job) taskList() []schema.Task {
	var ids []string
	if j.experiment.plan != nil {
		ids = append(ids, j.experiment.plan.Tasks...)
	}
	for _, t := range j.trials {
		ids = append(ids, schema.PathID(t.task))
	}
	slices.Sort(ids)
	var list []schema.Task
	for _, id := range slices.Compact(ids) {
		list = append(list, schema.Task{ID: id})
	}
	return list
}

// harborPlan is the plan of a job: its agents on its tasks, each as often as it
// attempts. It is nil where the job has no configuration.
func (s *source) harborPlan(j *job) *schema.Plan {
	if j.config.value == nil {
		s.report.note(fmt.Sprintf("%s: no config.json: what was planned is inferred from the trials", j.name))
		return nil
	}
	tasks, ok := s.plannedTasks(j)
	if !ok {
		return nil
	}
	p := &schema.Plan{ExperimentID: j.experiment.id, Title: schema.Some(j.name), Tasks: tasks,
		Arms: s.harborArms(j), Repetitions: schema.Some(max(j.config.value.Attempts.integer().Or(1), 1))}
	planned := int64(len(p.Tasks)) * int64(len(p.Arms)) * p.Repetitions.Or(1)
	if j.result.value != nil {
		if n, ok := j.result.value.Trials.integer().Get(); ok {
			s.report.check("n_total_trials", j.result.text.file.rel, strconv.FormatInt(n, 10), strconv.FormatInt(planned, 10))
		}
	}
	return p
}

// plannedTasks are the tasks of a job, sorted: those that its lock resolved to,
// else those that its configuration names, else, where as many trials are there
// as the job planned, those of the trials, read or lost.
func (s *source) plannedTasks(j *job) ([]string, bool) {
	seen := slices.Clone(j.lost)
	for _, t := range j.trials {
		seen = append(seen, t.task)
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	listed := j.listedTasks()
	for _, name := range seen {
		if listed != nil && !slices.Contains(listed, name) {
			s.report.note(fmt.Sprintf("%s: task %s is not among the tasks that the job lists: what was planned is inferred from the trials", j.name, redacted(name)))
			return nil, false
		}
	}
	if listed == nil {
		total := int64(-1)
		if j.result.value != nil {
			total = j.result.value.Trials.integer().Or(-1)
		}
		if n := int64(len(j.trials) + len(j.lost)); total > n {
			s.report.note(fmt.Sprintf("%s: %d of %d planned trials left nothing here, and the job does not name their tasks: they cannot be counted as absent", j.name, total-n, total))
			return nil, false
		}
		listed = seen
	}
	ids := make([]string, len(listed))
	for i, name := range listed {
		ids[i] = schema.PathID(name)
	}
	slices.Sort(ids)
	return slices.Compact(ids), len(ids) > 0
}

// listedTasks are the names that the job lists; nil where it lists patterns, whole
// data sets or nothing.
func (j *job) listedTasks() []string {
	var names []string
	if j.lock.value != nil {
		for _, t := range j.lock.value.Trials {
			if n, ok := t.Task.id(); ok {
				names = append(names, n)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	for _, d := range j.config.value.Datasets {
		if len(d.TaskNames) == 0 {
			return nil
		}
		for _, n := range d.TaskNames {
			if strings.ContainsAny(n, "*?[") {
				return nil
			}
			names = append(names, n)
		}
	}
	for _, t := range j.config.value.Tasks {
		n, ok := t.id()
		if !ok {
			return nil
		}
		names = append(names, n)
	}
	return names
}

// id is the task's name, else the last element of its path.
func (t harborTaskRef) id() (string, bool) {
	if n, ok := present(t.Name).Get(); ok {
		return n, true
	}
	p, ok := present(t.Path).Get()
	return path.Base(p), ok
}

// harborArms are the agents that ran, and those configured ones that never did
// and whose name is known.
func (s *source) harborArms(j *job) []schema.Arm {
	var arms []schema.Arm
	add := func(harness string, model schema.Opt[string], treatment schema.Members[schema.Scalar]) {
		a := schema.Arm{HarnessID: schema.PathID(harness), ModelKey: model, Treatment: treatment}
		a.Name = schema.ArmName(a.HarnessID, a.ModelKey, a.Treatment)
		if !slices.ContainsFunc(arms, func(b schema.Arm) bool { return b.Name == a.Name }) {
			arms = append(arms, a)
		}
	}
	ran := map[string]bool{}
	for _, t := range j.trials {
		ran[t.agentKey()] = true
		add(t.harness(), t.model, t.treatment)
	}
	for i := range j.config.value.Agents {
		a := &j.config.value.Agents[i]
		if ran[a.key()] {
			continue
		}
		name, ok := present(a.Name).Get()
		if !ok {
			if len(ran) < len(j.config.value.Agents) {
				s.report.note(fmt.Sprintf("%s: an agent that never ran has no name: its trials cannot be counted as absent", j.name))
			}
			continue
		}
		model := present(a.ModelName)
		if m, ok := model.Get(); ok {
			_, m = splitModel(m)
			model = schema.Some(m)
		}
		add(name, model, nil)
	}
	slices.SortFunc(arms, func(a, b schema.Arm) int { return strings.Compare(a.Name, b.Name) })
	return arms
}

// harness is the original name of the harness.
func (t *trial) harness() string {
	if n, ok := present(t.result.AgentInfo.Name).Get(); ok {
		return n
	}
	if n, ok := present(t.result.Config.Agent.Name).Get(); ok {
		return n
	}
	return present(t.result.Config.Agent.ImportPath).Or(unknownID)
}

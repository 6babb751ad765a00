package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// nameATIFExperiments names the experiment of each run after its folder, or as
// the options say. Where the folder holds arms that have no task in common they
// are no one experiment: a grid of all arms and all tasks was never planned, and
// its empty cells would count as absent. Each set of arms that do share tasks is
// then an experiment of its own.
func (s *source) nameATIFExperiments(runs []*run) []*experiment {
	if name := s.options.Experiment; name != "" {
		return nameATIF(runs, name)
	}
	byFolder := map[string][]*run{}
	for _, r := range runs {
		folder := r.manifest.Source.Experiment.Or("")
		byFolder[folder] = append(byFolder[folder], r)
	}
	var folders []string
	for folder := range byFolder {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	var list []*experiment
	for _, folder := range folders {
		groups := sharingTasks(byFolder[folder])
		if len(groups) == 1 {
			list = append(list, nameATIF(groups[0].runs, folder)...)
			continue
		}
		s.report.note(fmt.Sprintf("%s: %d experiments: their agents share no task", folder, len(groups)))
		for _, g := range groups {
			list = append(list, nameATIF(g.runs, folder+" "+g.arm)...)
		}
	}
	return list
}

func nameATIF(runs []*run, name string) []*experiment {
	for _, r := range runs {
		r.manifest.ExperimentID = schema.PathID(name)
		r.manifest.Source.Experiment = schema.Some(name)
	}
	return []*experiment{{id: schema.PathID(name)}}
}

// A taskGroup is a set of runs whose arms are connected by common tasks.
type taskGroup struct {
	// arm is the first arm by name.
	arm  string
	runs []*run
	// tasks are the tasks of the runs.
	tasks map[string]bool
}

// sharingTasks parts runs into groups without a common task, sorted by arm.
func sharingTasks(runs []*run) []*taskGroup {
	arms := map[string]*taskGroup{}
	for _, r := range runs {
		m := &r.manifest
		name := schema.ArmName(m.HarnessID, m.ModelKey, nil)
		g := arms[name]
		if g == nil {
			g = &taskGroup{arm: name, tasks: map[string]bool{}}
			arms[name] = g
		}
		g.runs = append(g.runs, r)
		g.tasks[m.TaskID] = true
	}
	var groups []*taskGroup
	for _, g := range arms {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *taskGroup) int { return strings.Compare(a.arm, b.arm) })
	for i := 0; i < len(groups); i++ {
		for j := i + 1; j < len(groups); j++ {
			if groups[i].shares(groups[j]) {
				groups[i].join(groups[j])
				groups = slices.Delete(groups, j, j+1)
				j = i
			}
		}
	}
	return groups
}

func (g *taskGroup) shares(o *taskGroup) bool {
	for t := range o.tasks {
		if g.tasks[t] {
			return true
		}
	}
	return false
}

func (g *taskGroup) join(o *taskGroup) {
	g.runs = append(g.runs, o.runs...)
	for t := range o.tasks {
		g.tasks[t] = true
	}
}

package pipeline

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// readExperiments reads the plans and tasks, and sorts the experiments by id.
func (p *Plan) readExperiments(dirs []ingest.ExperimentDir) error {
	for _, dir := range dirs {
		read, err := ingest.ReadExperiment(dir)
		if err != nil {
			return err
		}
		p.findings = append(p.findings, read.Findings...)
		e := p.experimentOf(&read)
		if e == nil {
			p.folders = append(p.folders, dataset.Experiment{Path: dir.Path, Files: inputFiles(read.Files)})
			continue
		}
		if err := p.learn(e, &read); err != nil {
			return err
		}
	}
	p.sortExperiments()
	return nil
}

// experimentOf finds the experiment that a folder belongs to: the one that its
// plan names, else that of the first run below it. A folder without either says
// nothing of any run.
func (p *Plan) experimentOf(read *ingest.Experiment) *experiment {
	if read.Plan == nil {
		for i := range p.runs {
			if under(read.Dir, p.runs[i].dir) {
				return p.experiments[p.runs[i].experiment]
			}
		}
		return nil
	}
	for _, e := range p.experiments {
		if e.id == read.Plan.ExperimentID {
			return e
		}
	}
	e := &experiment{id: read.Plan.ExperimentID}
	p.experiments = append(p.experiments, e)
	return e
}

// learn takes in a folder. Two plans of one experiment must be the same.
func (p *Plan) learn(e *experiment, read *ingest.Experiment) error {
	folder := dataset.Experiment{ExperimentID: e.id, Path: read.Dir.Path, Files: inputFiles(read.Files)}
	switch {
	case read.Plan == nil:
	case e.plan == nil:
		if err := checkPlan(read.Plan, read.Dir); err != nil {
			return err
		}
		e.plan, e.planSHA256, e.dir = read.Plan, planSHA256(read), read.Dir
		folder.Plan = read.Plan
	case e.planSHA256 != planSHA256(read):
		return fmt.Errorf("experiment %s: have two plans that differ (%s, %s), want one", e.id,
			filepath.Join(e.dir.Location(), schema.DocumentPlan.File), filepath.Join(read.Dir.Location(), schema.DocumentPlan.File))
	}
	p.folders = append(p.folders, folder)
	if e.tasks == nil {
		e.tasks = map[string]*schema.Task{}
	}
	for i := range read.Tasks {
		p.learnTask(e, &read.Tasks[i], read.Dir)
	}
	return nil
}

// learnTask takes in one line of tasks.jsonl. The first line of a task counts.
func (p *Plan) learnTask(e *experiment, t *schema.Task, dir ingest.ExperimentDir) {
	first, twice := e.tasks[t.ID]
	if !twice {
		e.tasks[t.ID] = t
		return
	}
	merged, conflicts := derive.MergeTask(first, t)
	e.tasks[t.ID] = &merged
	for _, c := range conflicts {
		p.findings = append(p.findings, schema.Finding{Code: &schema.TaskConflict, Severity: schema.TaskConflict.Severity,
			RunPath: dir.Path, File: schema.DocumentTask.File, Pointer: "/" + c.Field, Have: c.Have, Want: c.Want + ", as an earlier line says"})
	}
}

func planSHA256(read *ingest.Experiment) string {
	for _, f := range read.Files {
		if f.Name == schema.DocumentPlan.File {
			return f.SHA256
		}
	}
	return ""
}

// sortExperiments sorts by id, and numbers the runs' experiments anew.
func (p *Plan) sortExperiments() {
	slices.SortStableFunc(p.folders, func(a, b dataset.Experiment) int {
		return cmp.Or(strings.Compare(a.ExperimentID, b.ExperimentID), strings.Compare(a.Path, b.Path))
	})
	order := make([]int32, len(p.experiments))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(strings.Compare(p.experiments[a].id, p.experiments[b].id), cmp.Compare(a, b))
	})
	sorted, place := make([]*experiment, len(order)), make([]int32, len(order))
	for i, old := range order {
		sorted[i], place[old] = p.experiments[old], int32(i)
	}
	p.experiments = sorted
	for i := range p.runs {
		p.runs[i].experiment = place[p.runs[i].experiment]
	}
}

package importer

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// The names of files of a job or trial.
const (
	harborResult = "result.json"
	harborConf   = "config.json"
	harborLocked = "lock.json"
)

// A job is a job directory.
type job struct {
	dir string
	// rel is the directory relative to the path given.
	rel    string
	root   string
	result *harborJob
	config *harborConfig
	lock   *harborLock
	// resultPath is where the job's result.json stands.
	resultPath string
	trials     []*trial
	experiment *experiment
	// name is the job's original name.
	name string
}

// A trial is one trial of a job.
type trial struct {
	job    *job
	file   *file
	line   int
	sha256 string
	raw    jsontext.Value
	result *harborTrial
	// trajectory is the first file of its trajectory, or nil.
	trajectory *file
	// seen is the model that the trajectory names.
	seen schema.Opt[string]
	// task is the original task id.
	task  string
	model schema.Opt[string]
}

// readHarbor finds jobs and their trials.
func readHarbor(s *source) (*batch, error) {
	jobs, err := s.harborJobs()
	if err != nil {
		return nil, err
	}
	if jobs, err = s.uniqueTrials(jobs); err != nil {
		return nil, err
	}
	b := &batch{}
	nameExperiments(jobs)
	for _, j := range jobs {
		if err := s.findTrajectories(j); err != nil {
			return nil, err
		}
		s.nameTasks(j)
		s.nameModels(j)
		j.experiment.plan = s.harborPlan(j)
		j.experiment.tasks = j.taskList()
		for _, t := range j.trials {
			r, err := s.harborRun(t)
			if err != nil {
				return nil, err
			}
			b.runs = append(b.runs, r)
		}
		s.checkJob(j)
		if len(j.trials) > 0 {
			b.experiments = append(b.experiments, j.experiment)
		}
	}
	return b, nil
}

// harborJobs reads every result.json, and the job files beside the trials.
func (s *source) harborJobs() ([]*job, error) {
	at := map[string]*job{}
	var order []*job
	jobAt := func(f *file, dir string) *job {
		j := at[dir]
		if j == nil {
			j = &job{dir: dir, root: f.root}
			at[dir] = j
			order = append(order, j)
		}
		return j
	}
	for i := range s.files {
		f := &s.files[i]
		if path.Base(f.rel) != harborResult {
			continue
		}
		t, err := s.read(f)
		var probe *harborProbe
		if err == nil {
			probe, err = decode[harborProbe](t)
		}
		dir := filepath.Dir(f.abs)
		switch {
		case err != nil:
			err = s.leftOut(err)
		case len(probe.TrialName) > 0:
			err = s.addTrial(jobAt(f, filepath.Dir(dir)), t)
		case len(probe.Stats) > 0 || len(probe.Total) > 0:
			j := jobAt(f, dir)
			j.rel, j.resultPath = path.Dir(f.rel), f.rel
			err = s.addJob(j, t)
		default:
			s.report.FilesOther++
		}
		if err != nil {
			return nil, err
		}
	}
	for _, j := range order {
		if err := s.jobFiles(j); err != nil {
			return nil, err
		}
		if err := s.unfinishedTrials(j); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(order, func(a, b *job) int { return strings.Compare(a.rel+"\x00"+a.dir, b.rel+"\x00"+b.dir) })
	return order, nil
}

// leftOut turns damage into an entry of the report; other errors stay.
func (s *source) leftOut(err error) error {
	var d *damage
	if errors.As(err, &d) {
		s.report.leaveOut(d.place, d.reason)
		return nil
	}
	return err
}

func (s *source) addTrial(j *job, t *text) error {
	r, err := decode[harborTrial](t)
	if err != nil {
		return s.leftOut(err)
	}
	if j.rel == "" {
		j.rel = path.Dir(path.Dir(t.file.rel))
	}
	s.report.RunsRead++
	j.trials = append(j.trials, &trial{job: j, file: t.file, sha256: t.sha256, raw: t.bytes, result: r})
	return nil
}

func (s *source) addJob(j *job, t *text) error {
	r, err := decode[harborJob](t)
	if err != nil {
		return s.leftOut(err)
	}
	j.result = r
	for i := range r.Inline {
		l := &r.Inline[i]
		s.report.RunsRead++
		j.trials = append(j.trials, &trial{job: j, file: t.file, line: t.line(l.start), sha256: t.sha256, raw: l.raw, result: &l.value})
	}
	return nil
}

// jobFiles reads config.json and lock.json of a job.
func (s *source) jobFiles(j *job) error {
	if f, ok := s.byPath[filepath.Join(j.dir, harborConf)]; ok {
		c, err := readAs[harborConfig](s, f)
		if err != nil {
			return err
		}
		j.config = c
	}
	if f, ok := s.byPath[filepath.Join(j.dir, harborLocked)]; ok {
		l, err := readAs[harborLock](s, f)
		if err != nil {
			return err
		}
		j.lock = l
	}
	return nil
}

// readAs reads a file as JSON; nil where it was left out.
func readAs[T any](s *source, f *file) (*T, error) {
	t, err := s.read(f)
	if err != nil {
		return nil, s.leftOut(err)
	}
	v, err := decode[T](t)
	return v, s.leftOut(err)
}

// unfinishedTrials lists the trial folders that hold a configuration and no result.
func (s *source) unfinishedTrials(j *job) error {
	for i := range s.files {
		f := &s.files[i]
		dir := filepath.Dir(f.abs)
		if path.Base(f.rel) != harborConf || filepath.Dir(dir) != j.dir {
			continue
		}
		if _, ok := s.byPath[filepath.Join(dir, harborResult)]; ok {
			continue
		}
		probe, err := readAs[harborProbe](s, f)
		if err != nil {
			return err
		}
		if probe != nil && len(probe.TrialName) > 0 {
			s.report.leaveOut(Place{Path: path.Dir(f.rel)}, "a trial without result.json: nothing says how it ended")
		}
	}
	return nil
}

// uniqueTrials keeps one of each trial. A trial that stands in the job's file and
// in its own is one; of the two, its own file counts, for its trajectory is there.
func (s *source) uniqueTrials(jobs []*job) ([]*job, error) {
	at := map[string]*trial{}
	for _, j := range jobs {
		slices.SortStableFunc(j.trials, func(a, b *trial) int {
			if a.line == 0 != (b.line == 0) {
				if a.line == 0 {
					return -1
				}
				return 1
			}
			return strings.Compare(a.file.rel, b.file.rel)
		})
	}
	dropped := map[*trial]bool{}
	for _, j := range jobs {
		for _, t := range j.trials {
			id := t.id()
			first := at[id]
			if first == nil {
				at[id] = t
				continue
			}
			if sameJSON(first.raw, t.raw) {
				s.report.count(countRepeats, 1)
				dropped[t] = true
				continue
			}
			takeFirst, err := s.contradiction("trial id", id, first.place(), t.place())
			if err != nil {
				return nil, err
			}
			if takeFirst {
				dropped[t] = true
			} else {
				dropped[first], at[id] = true, t
			}
		}
	}
	for _, j := range jobs {
		j.trials = slices.DeleteFunc(j.trials, func(t *trial) bool { return dropped[t] })
	}
	return jobs, nil
}

// id names a trial: its UUID, else job folder and name.
func (t *trial) id() string {
	if id, ok := present(t.result.ID).Get(); ok {
		return id
	}
	return t.job.dir + "/" + t.result.TrialName.Or("")
}

func (t *trial) place() Place { return Place{t.file.rel, t.line} }

// dir is the folder of the trial.
func (t *trial) dir() string {
	if t.line > 0 {
		return filepath.Join(t.job.dir, filepath.FromSlash(t.result.TrialName.Or("")))
	}
	return filepath.Dir(t.file.abs)
}

// nameExperiments names each experiment after its job. Two jobs of one name are
// told apart by their ids.
func nameExperiments(jobs []*job) {
	count := map[string]int{}
	for _, j := range jobs {
		j.name = filepath.Base(j.dir)
		if j.config != nil {
			j.name = present(j.config.JobName).Or(j.name)
		}
		count[j.name]++
	}
	for _, j := range jobs {
		id := schema.PathID(j.name)
		if count[j.name] > 1 {
			id = schema.PathID(j.name + " " + j.id())
		}
		j.experiment = &experiment{id: id}
	}
}

// id is what tells jobs apart.
func (j *job) id() string {
	if j.result != nil && present(j.result.ID).Has() {
		return j.result.ID.Or("")
	}
	for _, t := range j.trials {
		if id, ok := present(t.result.Config.JobID).Get(); ok {
			return id
		}
	}
	return j.rel
}

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
	result jobFile[harborJob]
	config jobFile[harborConfig]
	lock   jobFile[harborLock]
	trials []*trial
	// lost are the tasks of trials that are there without a readable result.
	lost       []string
	experiment *experiment
	// name is the job's original name.
	name string
}

// A jobFile is a file of a job; value is nil where it is not there.
type jobFile[T any] struct {
	text  *text
	value *T
}

// A trial is one trial of a job.
type trial struct {
	job  *job
	file *file
	// folder is the folder of the trial.
	folder string
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
	// treatment tells agents of one name and model apart.
	treatment schema.Members[schema.Scalar]
}

// readHarbor finds jobs and their trials.
func readHarbor(s *source) (*batch, error) {
	if s.options.Experiment != "" {
		return nil, errors.New("import harbor: have a name for the experiment, want none: each job is an experiment of its own name")
	}
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
		s.nameVariants(j)
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
		if p := j.experiment.plan; len(j.trials) > 0 || p != nil && len(p.Arms) > 0 {
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
			j.rel = path.Dir(f.rel)
			err = s.addJob(j, t)
		default:
			s.report.count(countOtherJSON, 1)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, j := range order {
		if err := s.jobFiles(j); err != nil {
			return nil, err
		}
	}
	if err := s.lostTrials(at); err != nil {
		return nil, err
	}
	slices.SortFunc(order, func(a, b *job) int { return strings.Compare(a.rel+"\x00"+a.dir, b.rel+"\x00"+b.dir) })
	return s.mergeJobs(order)
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
	j.trials = append(j.trials, &trial{job: j, file: t.file, folder: filepath.Dir(t.file.abs), sha256: t.sha256, raw: t.bytes, result: r})
	return nil
}

func (s *source) addJob(j *job, t *text) error {
	r, err := decode[harborJob](t)
	if err != nil {
		return s.leftOut(err)
	}
	j.result = jobFile[harborJob]{t, r}
	for i := range r.Inline {
		l := &r.Inline[i]
		s.report.RunsRead++
		folder := filepath.Join(j.dir, schema.PathID(l.value.TrialName.Or("")))
		j.trials = append(j.trials, &trial{job: j, file: t.file, folder: folder, line: t.line(l.start), sha256: t.sha256, raw: l.raw, result: &l.value})
	}
	return nil
}

// jobFiles reads config.json and lock.json of a job.
func (s *source) jobFiles(j *job) (err error) {
	if f, ok := s.byPath[filepath.Join(j.dir, harborConf)]; ok {
		if j.config, err = readAs[harborConfig](s, f); err != nil {
			return err
		}
	}
	if f, ok := s.byPath[filepath.Join(j.dir, harborLocked)]; ok {
		j.lock, err = readAs[harborLock](s, f)
	}
	return err
}

// readAs reads a file as JSON; the value is nil where it was left out.
func readAs[T any](s *source, f *file) (jobFile[T], error) {
	t, err := s.read(f)
	if err != nil {
		return jobFile[T]{}, s.leftOut(err)
	}
	v, err := decode[T](t)
	return jobFile[T]{t, v}, s.leftOut(err)
}

// lostTrials lists the trial folders that hold a configuration and no result, and
// notes the tasks of those and of trials whose result could not be read: they were
// to be run, and count as absent.
func (s *source) lostTrials(jobs map[string]*job) error {
	read := map[string]bool{}
	for _, j := range jobs {
		for _, t := range j.trials {
			read[t.folder] = true
		}
	}
	for i := range s.files {
		f := &s.files[i]
		dir := filepath.Dir(f.abs)
		j := jobs[filepath.Dir(dir)]
		if path.Base(f.rel) != harborConf || j == nil || read[dir] {
			continue
		}
		config, err := readAs[harborTrialFile](s, f)
		if err != nil {
			return err
		}
		if config.value == nil || len(config.value.TrialName) == 0 {
			continue
		}
		if name, ok := config.value.Task.id(); ok {
			j.lost = append(j.lost, name)
		}
		if _, ok := s.byPath[filepath.Join(dir, harborResult)]; !ok {
			s.report.leaveOut(Place{Path: path.Dir(f.rel)}, "a trial without result.json: nothing says how it ended")
		}
	}
	return nil
}

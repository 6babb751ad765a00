package importer

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// mergeJobs makes one job of copies that carry one id. Copies whose files differ
// contradict each other.
func (s *source) mergeJobs(jobs []*job) ([]*job, error) {
	at := map[string]*job{}
	var kept []*job
	for _, j := range jobs {
		first := at[j.id()]
		if first == nil {
			at[j.id()] = j
			kept = append(kept, j)
			continue
		}
		err := mergeFile(s, j.id(), &first.result, j.result)
		if err == nil {
			err = mergeFile(s, j.id(), &first.config, j.config)
		}
		if err == nil {
			err = mergeFile(s, j.id(), &first.lock, j.lock)
		}
		if err != nil {
			return nil, err
		}
		for _, t := range j.trials {
			t.job = first
		}
		first.trials = append(first.trials, j.trials...)
		first.lost = append(first.lost, j.lost...)
	}
	return kept, nil
}

// mergeFile takes one of two copies of a job's file.
func mergeFile[T any](s *source, id string, first *jobFile[T], second jobFile[T]) error {
	switch {
	case second.value == nil:
		return nil
	case first.value == nil:
		*first = second
		return nil
	case sameJSON(first.text.bytes, second.text.bytes):
		return nil
	}
	takeFirst, err := s.contradiction("job id", id, Place{Path: first.text.file.rel}, Place{Path: second.text.file.rel})
	if err == nil && !takeFirst {
		*first = second
	}
	return err
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
	return filepath.Dir(t.folder) + "/" + t.result.TrialName.Or("")
}

func (t *trial) place() Place { return Place{t.file.rel, t.line} }

// nameExperiments names each experiment after its job. Two jobs of one name are
// told apart by their ids.
func nameExperiments(jobs []*job) {
	count := map[string]int{}
	for _, j := range jobs {
		j.name = filepath.Base(j.dir)
		if c := j.config.value; c != nil {
			j.name = present(c.JobName).Or(j.name)
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
	if r := j.result.value; r != nil && present(r.ID).Has() {
		return r.ID.Or("")
	}
	for _, t := range j.trials {
		if id, ok := present(t.result.Config.JobID).Get(); ok {
			return id
		}
	}
	return j.dir
}

package importer

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// trajectoryFolders are where a trial keeps its trajectory, in order of rank.
var trajectoryFolders = []string{"agent", "artifacts"}

// findTrajectories finds the trajectory of each trial of a job.
func (s *source) findTrajectories(j *job) error {
	for _, t := range j.trials {
		var found []*file
		for _, folder := range trajectoryFolders {
			found = append(found, s.trajectoriesIn(filepath.Join(t.folder, folder))...)
		}
		for _, f := range found {
			if err := s.joinTrajectory(t, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// trajectoriesIn lists the files named trajectory.json or trajectory.json.gz
// under a folder named agent or artifacts, by path.
func (s *source) trajectoriesIn(dir string) []*file {
	if s.trajectories == nil {
		s.trajectories = map[string][]*file{}
		for i := range s.files {
			f := &s.files[i]
			if strings.TrimSuffix(path.Base(f.rel), ".gz") != trajectoryWord+".json" {
				continue
			}
			for d := filepath.Dir(f.abs); d != filepath.Dir(d); d = filepath.Dir(d) {
				if slices.Contains(trajectoryFolders, filepath.Base(d)) {
					s.trajectories[d] = append(s.trajectories[d], f)
				}
			}
		}
	}
	return s.trajectories[dir]
}

// joinTrajectory makes f the trajectory of a trial. A second file with the same
// content is a repeat, one with other content a contradiction of the trial.
func (s *source) joinTrajectory(t *trial, f *file) error {
	p, err := s.loadPart(f)
	if err != nil {
		return s.leftOut(err)
	}
	if t.trajectory == nil {
		t.trajectory = f
		t.seen = (&chain{parts: []*part{p}}).model()
		return nil
	}
	first, err := s.read(t.trajectory)
	if err != nil {
		return err
	}
	if bytes.Equal(first.bytes, p.text.bytes) || sameJSON(first.bytes, p.text.bytes) {
		s.report.count(countRepeats, 1)
		return nil
	}
	takeFirst, err := s.contradiction("trajectory of trial", t.id(), Place{Path: t.trajectory.rel}, Place{Path: f.rel})
	if err == nil && !takeFirst {
		t.trajectory = f
		t.seen = (&chain{parts: []*part{p}}).model()
	}
	return err
}

// nameModels says which model each trial ran: as its result says, else as its
// configuration or its trajectory does, else as the trajectories of the trials
// with the same agent do, where they name one model.
func (s *source) nameModels(j *job) {
	seen := map[string][]string{}
	for _, t := range j.trials {
		if m, ok := t.seen.Get(); ok && !slices.Contains(seen[t.agentKey()], m) {
			seen[t.agentKey()] = append(seen[t.agentKey()], m)
		}
	}
	inferred := 0
	for _, t := range j.trials {
		t.model = t.saidModel()
		if !t.model.Has() {
			t.model = t.seen
		}
		if models := seen[t.agentKey()]; !t.model.Has() && len(models) == 1 {
			t.model = schema.Some(models[0])
			inferred++
		}
	}
	if inferred > 0 {
		s.report.note(fmt.Sprintf("%s: %d trials name no model: taken from the trajectories of the job's other trials with the same agent, which all name one", j.name, inferred))
	}
}

// saidModel is the model that a trial's result or configuration names.
func (t *trial) saidModel() schema.Opt[string] {
	if m := t.result.AgentInfo.Model; m != nil && present(m.Name).Has() {
		return m.Name
	}
	if name, ok := present(t.result.Config.Agent.ModelName).Get(); ok {
		_, model := splitModel(name)
		return schema.Some(model)
	}
	return schema.None[string]()
}

// agentKey tells the agents of a job apart.
func (t *trial) agentKey() string { return t.result.Config.Agent.key() }

func (a *harborAgent) key() string {
	v := a.raw.Clone()
	if v.Canonicalize() != nil {
		return string(a.raw)
	}
	return string(v)
}

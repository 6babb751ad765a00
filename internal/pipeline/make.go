package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// MakePlan finds the run directories under the roots and settles what no run can
// know of itself. It reads manifests, plans and tasks; of trajectories it reads
// those of runs that stand in several directories, and the first line of each
// task's first run.
func MakePlan(ctx context.Context, roots []string, o Options) (*Plan, error) {
	found, err := ingest.Discover(roots)
	if err != nil {
		return nil, err
	}
	p := &Plan{options: o}
	p.counts.Directories = int64(len(found.Runs))
	p.takeFindings(found.Findings)
	if err := p.readManifests(ctx, found.Runs); err != nil {
		return nil, err
	}
	if err := p.mergeCopies(); err != nil {
		return nil, err
	}
	if err := p.readExperiments(found.Experiments); err != nil {
		return nil, err
	}
	if err := p.learnFromRuns(ctx); err != nil {
		return nil, err
	}
	if err := p.assignCells(); err != nil {
		return nil, err
	}
	if err := p.findFactors(); err != nil {
		return nil, err
	}
	p.counts.Runs = int64(len(p.runs))
	p.cutShards()
	return p, nil
}

// takeFindings keeps what discovery found. A directory that cannot be listed or
// named may be a run: it is counted as unidentified.
func (p *Plan) takeFindings(list []schema.Finding) {
	for i, f := range list {
		if !f.Code.Unidentified {
			p.findings = append(p.findings, f)
			continue
		}
		p.odd = append(p.odd, oddDirectory{RunDir: ingest.RunDir{Path: f.RunPath}, state: dataset.StateUnidentified, finding: &list[i]})
		p.counts.Directories++
		p.counts.Unidentified++
	}
}

// readManifests sorts the directories into runs, by id, and others, by path.
func (p *Plan) readManifests(ctx context.Context, dirs []ingest.RunDir) error {
	known := newInterner()
	readers := newFreeList(func() *ingest.Reader { return ingest.NewReader(ingest.Options{}) })
	type head struct {
		ingest.Head
		run   plannedRun
		arm   arm
		expID string
	}
	err := ordered(ctx, p.options.workers(), len(dirs), func(i int) (head, error) {
		if dirs[i].Superseded() {
			return head{Head: ingest.Head{Dir: dirs[i]}}, nil
		}
		r := readers.take()
		defer readers.give(r)
		h, m, err := r.ReadManifest(dirs[i])
		if err != nil || h.RunID == "" {
			return head{Head: h}, err
		}
		bytes, packed := trajectoryBytes(h.Dir)
		return head{Head: h, arm: cloneArm(armOf(m)), expID: strings.Clone(m.ExperimentID), run: plannedRun{
			id: h.RunID, bytes: bytes, packed: packed, dir: h.Dir, misplaced: misplaced(h.Findings), task: strings.Clone(m.TaskID), repetition: m.Repetition, created: m.CreatedAt,
		}}, nil
	}, func(i int, h head) error {
		p.report(StagePlan, int64(i+1), int64(len(dirs)))
		switch {
		case h.Dir.Superseded():
			p.odd = append(p.odd, oddDirectory{RunDir: h.Dir, state: dataset.StateSuperseded})
			p.counts.Superseded++
		case h.RunID == "":
			p.odd = append(p.odd, oddDirectory{RunDir: h.Dir, state: dataset.StateUnidentified})
			p.counts.Unidentified++
		default:
			h.run.task = known.text(h.run.task)
			h.run.experiment = p.experimentIndex(known, h.expID)
			h.run.arm = p.armPlace(known, h.arm)
			p.runs = append(p.runs, h.run)
		}
		return nil
	})
	slices.SortFunc(p.runs, func(a, b plannedRun) int {
		return cmp.Or(strings.Compare(a.id, b.id), compareFalseFirst(a.misplaced, b.misplaced), strings.Compare(a.dir.Path, b.dir.Path), strings.Compare(a.dir.Root, b.dir.Root))
	})
	return err
}

// misplaced reports whether a directory stands elsewhere than its manifest says.
func misplaced(findings []schema.Finding) bool {
	return slices.ContainsFunc(findings, func(f schema.Finding) bool { return f.Code == &schema.PathMismatch })
}

func compareFalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// experimentIndex is the place of an experiment, which is added when it is new.
func (p *Plan) experimentIndex(known *interner, id string) int32 {
	i, isNew := known.index("experiment", id)
	if isNew {
		p.experiments = append(p.experiments, &experiment{id: id})
	}
	return i
}

func (p *Plan) armPlace(known *interner, a arm) int32 {
	key := a.key()
	i, isNew := known.index("arm", key)
	if isNew {
		p.arms, p.armKeys = append(p.arms, a), append(p.armKeys, key)
	}
	return i
}

// cloneArm copies an arm's text out of the reader's memory.
func cloneArm(a arm) arm {
	a.harness = strings.Clone(a.harness)
	if m, ok := a.model.Get(); ok {
		a.model = schema.Some(strings.Clone(m))
	}
	for i, level := range a.treatment {
		a.treatment[i].Name, a.treatment[i].Value = strings.Clone(level.Name), schema.Scalar(strings.Clone(string(level.Value)))
	}
	return a
}

// mergeCopies leaves one run an id. Of the paths that are as the manifest asks the
// first in byte order stays, else the first of all; where the bytes differ nothing
// can be believed.
func (p *Plan) mergeCopies() error {
	var conflicts []error
	out := p.runs[:0]
	for i := 0; i < len(p.runs); {
		j := i + 1
		for j < len(p.runs) && p.runs[j].id == p.runs[i].id {
			j++
		}
		r := p.runs[i]
		if j > i+1 {
			differ, err := r.takeCopies(p.runs[i+1 : j])
			if err != nil {
				return err
			}
			if differ && !p.options.ExcludeConflicts {
				conflicts = append(conflicts, r.conflictError())
			}
			p.counts.Copies += int64(j - i - 1)
		}
		out = append(out, r)
		i = j
	}
	clear(p.runs[len(out):])
	p.runs = out
	return errors.Join(conflicts...)
}

// takeCopies compares the bytes of the other directories with those of the run.
func (r *plannedRun) takeCopies(others []plannedRun) (differ bool, err error) {
	want, err := decidingFiles(r.dir)
	if err != nil {
		return false, err
	}
	for _, o := range others {
		have, err := decidingFiles(o.dir)
		if err != nil {
			return false, err
		}
		r.copies = append(r.copies, copiedRun{o.dir, have})
		r.conflict = r.conflict || !slices.Equal(have, want)
	}
	return r.conflict, nil
}

func (r *plannedRun) conflictError() error {
	paths := []string{r.dir.Location()}
	for _, c := range r.copies {
		paths = append(paths, c.dir.Location())
	}
	return fmt.Errorf("run %s: have directories that differ (%s), want one run an id: remove the wrong ones, or exclude all of them with --exclude-conflicts",
		r.id, strings.Join(paths, ", "))
}

// decidingFiles are the files whose bytes say whether two directories hold the
// same run: manifest and trajectory.
func decidingFiles(dir ingest.RunDir) ([]dataset.InputFile, error) {
	entries, err := os.ReadDir(dir.Location())
	if err != nil {
		return nil, err
	}
	files := []dataset.InputFile{}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || name != schema.DocumentManifest.File && !strings.HasPrefix(name, schema.TrajectoryFile) {
			continue
		}
		sum, size, err := dataset.HashFile(filepath.Join(dir.Location(), name))
		if err != nil {
			return nil, err
		}
		files = append(files, dataset.InputFile{Name: name, SHA256: sum, Bytes: size})
	}
	return files, nil
}

// maxShardBytes is the input of one shard, so that a table is one file as long
// as a dataset is of a usual size.
const maxShardBytes = 8 << 30

// cutShards cuts the runs into ranges of at most maxShardBytes of trajectories.
func (p *Plan) cutShards() {
	from, bytes := 0, int64(0)
	for i := range p.runs {
		n := p.runs[i].bytes
		if bytes+n > p.shardBytes() && i > from {
			p.shards = append(p.shards, shardRange{from, i})
			from, bytes = i, 0
		}
		bytes += n
	}
	p.shards = append(p.shards, shardRange{from, len(p.runs)})
}

func (p *Plan) shardBytes() int64 {
	if p.options.shardBytes > 0 {
		return p.options.shardBytes
	}
	return maxShardBytes
}

// trajectoryBytes is the size of a run's trajectory as stored, 0 where there is none,
// and whether it is compressed.
func trajectoryBytes(dir ingest.RunDir) (bytes int64, packed bool) {
	for _, suffix := range []string{"", ".gz", ".zst"} {
		info, err := os.Lstat(filepath.Join(dir.Location(), schema.TrajectoryFile+suffix))
		if err == nil {
			return info.Size(), suffix != ""
		}
	}
	return 0, false
}

// report tells the caller how far a stage is.
func (p *Plan) report(stage string, done, total int64) {
	if p.options.Progress != nil {
		p.options.Progress(Progress{stage, done, total})
	}
}

// under reports whether a directory lies in a folder of the same root.
func under(folder ingest.ExperimentDir, dir ingest.RunDir) bool {
	return folder.Root == dir.Root && (folder.Path == "." || strings.HasPrefix(dir.Path, folder.Path+"/"))
}

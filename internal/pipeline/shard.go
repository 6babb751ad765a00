package pipeline

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// RunShard derives the runs of shard i of the plan into a new folder dir: its
// tables, the list of its inputs, and the shard manifest, which it returns. It
// depends on the plan and the bytes of its runs alone. A faulty run is data; an
// error is the environment's.
func RunShard(ctx context.Context, p *Plan, i int, dir string) (*ShardManifest, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	inputs, err := newInputList(dir)
	if err != nil {
		return nil, err
	}
	sink, err := newSink(dir, p.factors)
	if err != nil {
		return nil, errors.Join(err, inputs.file.Close())
	}
	s := newShard(p, i, sink, inputs)
	if err := s.derive(ctx); err != nil {
		sink.abandon()
		return nil, errors.Join(err, inputs.file.Close())
	}
	return s.finish(ctx, dir, sink, inputs)
}

// An output takes what a shard derives, in order.
type output interface {
	// add takes the rows of a run.
	add(*derive.Rows) error
	// outside takes what was found of a directory that is no run of its own.
	outside([]schema.Finding, []schema.ExclusionRow) error
}

// An inputTaker takes the inputs of a shard, in order.
type inputTaker interface{ add(dataset.Input) error }

// A shard is a shard that is being derived.
type shard struct {
	plan     *Plan
	runs     []plannedRun
	from     int
	last     bool
	out      output
	inputs   inputTaker
	stations *freeList[*station]
	manifest ShardManifest
	tally    tally
}

func newShard(p *Plan, i int, out output, inputs inputTaker) *shard {
	r := p.shards[i]
	return &shard{plan: p, runs: p.runs[r.from:r.to], from: r.from, last: i == len(p.shards)-1, out: out, inputs: inputs,
		stations: newFreeList(func() *station { return newStation(p) }), manifest: ShardManifest{Shard: i}, tally: newTally()}
}

// derive reads the runs on some workers and writes them in order; directories
// that are no runs come last.
func (s *shard) derive(ctx context.Context) error {
	weight := func(i int) int64 { return s.runs[i].weight() }
	err := orderedWithin(ctx, s.plan.options.workers(), len(s.runs), maxBytesAtOnce, weight, func(i int) (*station, error) {
		st := s.stations.take()
		return st, st.read(&s.runs[i])
	}, func(i int, st *station) error {
		s.plan.report(StageRuns, int64(s.from+i+1), int64(len(s.plan.runs)))
		err := s.takeRun(&s.runs[i], st)
		s.stations.give(st)
		return err
	})
	if err != nil || !s.last {
		return err
	}
	return s.takeOdd(ctx)
}

// weight is about how much text the trajectory holds.
func (r *plannedRun) weight() int64 {
	if r.packed {
		return r.bytes * packedTimes
	}
	return r.bytes
}

// packedTimes is about how many times smaller a compressed trajectory is: simulated
// and mixed events come to 13 times with zstd's default level.
const packedTimes = 16

// maxBytesAtOnce bounds the trajectories that are read or held as rows at once: a
// few large runs must not take the memory that many small ones do not.
const maxBytesAtOnce = 64 << 20

// takeRun writes a run, and the directories that copy it.
func (s *shard) takeRun(r *plannedRun, st *station) error {
	rows := st.rows
	if err := s.out.add(rows); err != nil {
		return err
	}
	if by, excluded := rows.Run.ExcludedBy.Get(); excluded {
		s.manifest.Excluded++
		s.tally.reason(by)
	} else {
		s.manifest.Included++
	}
	s.tally.version(rows.Run.SchemaVersion)
	s.tally.findings(rows.Findings)
	err := s.addInput(dataset.Input{RunID: schema.Some(r.id), Path: r.dir.Path, State: dataset.StateRun, Files: st.files, Unread: st.unread})
	for _, c := range r.copies {
		err = errors.Join(err, s.takeCopy(r, rows, c))
	}
	return err
}

// takeCopy writes a further directory of a run.
func (s *shard) takeCopy(r *plannedRun, rows *derive.Rows, c copiedRun) error {
	run := &rows.Run
	f := r.duplicateFinding(c.dir.Path)
	f.RunID = r.id
	s.tally.findings([]schema.Finding{f})
	in := dataset.Input{RunID: schema.Some(r.id), Path: c.dir.Path, State: dataset.StateCopy, Files: c.files}
	if err := s.addInput(in); err != nil {
		return err
	}
	return s.out.outside([]schema.Finding{f}, []schema.ExclusionRow{{
		RawPath: c.dir.Path, Place: 1, Class: schema.ClassCopy, Reason: schema.DuplicateRun.Name, RunID: schema.Some(r.id),
		ExperimentID: schema.Some(run.ExperimentID), HarnessID: schema.Some(run.HarnessID), ModelKey: run.ModelKey,
		TaskID: schema.Some(run.TaskID), Arm: schema.Some(run.Arm), Have: schema.Some(f.Have),
	}})
}

// duplicateFinding says that a directory holds the run too.
func (r *plannedRun) duplicateFinding(path string) schema.Finding {
	f := schema.Finding{Code: &schema.DuplicateRun, Severity: schema.DuplicateRun.Severity, RunPath: path, Want: "one directory a run"}
	switch {
	case !r.conflict:
		f.Have = "the same bytes as " + r.dir.Path
	case path == r.dir.Path:
		f.Have = "other bytes in " + r.copies[0].dir.Path
	default:
		f.Have = "other bytes than " + r.dir.Path
	}
	return f
}

func (s *shard) addInput(in dataset.Input) error {
	for _, f := range in.Files {
		s.manifest.InputBytes += f.Bytes
	}
	return s.inputs.add(in)
}

// finish closes the files and writes the shard manifest.
func (s *shard) finish(ctx context.Context, dir string, sink *sink, inputs *inputList) (*ShardManifest, error) {
	files, err := sink.close(ctx, s.plan.options.workers())
	if err != nil {
		return nil, errors.Join(err, inputs.file.Close())
	}
	m := &s.manifest
	m.Files = files
	if m.InputsSHA256, err = inputs.close(); err != nil {
		return nil, err
	}
	s.tally.into(m)
	text, err := json.Marshal(m, jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(filepath.Join(dir, shardFile), append(text, '\n'), 0o644)
}

// An inputList is the list of a shard's inputs on disk, one a line.
type inputList struct {
	file *os.File
	out  *bufio.Writer
	hash hash.Hash
}

func newInputList(dir string) (*inputList, error) {
	f, err := openIn(dir, inputsFile)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	return &inputList{file: f, hash: h, out: bufio.NewWriter(io.MultiWriter(f, h))}, nil
}

func (l *inputList) add(in dataset.Input) error {
	_, err := l.out.Write(append(in.Text(), '\n'))
	return err
}

func (l *inputList) close() (sum string, err error) {
	err = errors.Join(l.out.Flush(), l.file.Close())
	return hex.EncodeToString(l.hash.Sum(nil)), err
}

// A tally counts what a shard found.
type tally struct {
	versions map[string]bool
	codes    map[findingKind]int64
	reasons  map[string]int64
}

type findingKind struct {
	code     *schema.FindingCode
	severity schema.Severity
}

func newTally() tally {
	return tally{map[string]bool{}, map[findingKind]int64{}, map[string]int64{}}
}

func (t *tally) reason(name string) { t.reasons[name]++ }

func (t *tally) version(v string) {
	if !t.versions[v] {
		t.versions[string([]byte(v))] = true
	}
}

func (t *tally) findings(list []schema.Finding) {
	for _, f := range list {
		t.codes[findingKind{f.Code, f.Severity}]++
	}
}

// into writes the counts in the order of the codes, and of the reasons' names.
func (t *tally) into(m *ShardManifest) {
	for _, c := range schema.FindingCodes {
		for _, s := range []schema.Severity{schema.SeverityError, schema.SeverityWarning, schema.SeverityInfo} {
			if n := t.codes[findingKind{c, s}]; n > 0 {
				m.Findings = append(m.Findings, findingCount{c.Name, s, n})
			}
		}
	}
	for name, n := range t.reasons {
		m.Reasons = append(m.Reasons, ReasonCount{name, n})
	}
	slices.SortFunc(m.Reasons, compareReasons)
	for v := range t.versions {
		m.ContractVersions = append(m.ContractVersions, v)
	}
	slices.Sort(m.ContractVersions)
}

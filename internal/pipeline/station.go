package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A station reads one run after the other and holds the rows of the last one
// until they are written.
type station struct {
	plan   *Plan
	reader *ingest.Reader
	run    *derive.Run
	rows   *derive.Rows
	files  []dataset.InputFile
	unread []dataset.UnreadFile

	planned *plannedRun
	started bool
	task    *schema.Task
}

func newStation(p *Plan) *station {
	return &station{plan: p, run: derive.New(), reader: ingest.NewReader(ingest.Options{
		StrictSecrets: p.options.StrictSecrets, MetricNames: metricNames(),
	})}
}

// metricNames are the names that final_metrics.json may hold.
func metricNames() map[string]bool {
	names := map[string]bool{}
	for _, m := range schema.Metrics {
		names[m.Name] = true
	}
	return names
}

// read reads and derives one run.
func (st *station) read(r *plannedRun) error {
	st.planned, st.started, st.task = r, false, nil
	e := st.plan.experiments[r.experiment]
	if known := e.tasks[r.task]; known != nil {
		st.task = known
	}
	read, err := st.reader.ReadRun(r.dir, func(ev *schema.Event, pos schema.Position) {
		if !st.started {
			st.start(st.reader.Reading())
		}
		if ev.RunStarted != nil && e.hasRules() {
			st.learnTask(&ev.RunStarted.Task)
		}
		st.run.Event(ev, pos)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.dir.Location(), err)
	}
	if read.Manifest == nil || read.Manifest.RunID != r.id {
		return fmt.Errorf("%s: %s changed while the dataset was made, want raw runs at rest: derive again",
			r.dir.Location(), schema.DocumentManifest.File)
	}
	if !st.started {
		st.start(&read)
	}
	return st.finish(e, &read)
}

// start begins the run, once its manifest was read.
func (st *station) start(read *ingest.Run) {
	st.started = true
	m, _ := read.File(schema.DocumentManifest.File)
	r := st.planned
	arm := r.armName
	if arm == "" {
		arm = st.plan.armKeys[r.arm]
	}
	st.run.Start(derive.Input{
		Manifest: read.Manifest, Task: st.plan.experiments[r.experiment].tasks[r.task],
		Arm: arm, RawPath: r.dir.Path, ManifestSHA256: m.SHA256,
	})
}

// learnTask keeps what is known of the task, for the plan's rules.
func (st *station) learnTask(t *schema.Task) {
	task := derive.CloneTask(t)
	if st.task != nil {
		task, _ = derive.MergeTask(st.task, &task)
	}
	st.task = &task
}

// finish derives the rows.
func (st *station) finish(e *experiment, read *ingest.Run) error {
	r := st.planned
	exclusions := st.plan.exclusions(r)
	if e.hasRules() {
		matches, err := matchRules(e.plan.Exclusions, read.Manifest, st.task)
		if err != nil {
			return fmt.Errorf("experiment %s: %w", e.id, err)
		}
		for _, m := range matches {
			exclusions = append(exclusions, derive.Exclusion{Reason: schema.ExclusionRulePrefix + m.rule.Name, Have: m.rule.Field + " " + m.have.Text()})
		}
	}
	findings := read.Findings
	if r.conflict {
		findings = append(findings, r.duplicateFinding(r.dir.Path))
	}
	trajectory, _ := read.File(read.Trajectory)
	closing := derive.Closing{
		TestResults: read.TestResults, FinalMetrics: read.FinalMetrics, Findings: findings, Exclusions: exclusions,
		TrajectoryFile: read.Trajectory, TrajectorySHA256: trajectory.SHA256, TrajectoryBytes: trajectory.Bytes,
	}
	if _, there := read.File(schema.PatchFile); there {
		patch := derive.ReadPatch(read.Patch)
		closing.Patch = &patch
	}
	st.rows = st.run.Finish(closing)
	st.files, st.unread = inputFiles(read.Files), unreadFiles(read.Findings, read.Files)
	return nil
}

func (e *experiment) hasRules() bool { return e.plan != nil && len(e.plan.Exclusions) > 0 }

func inputFiles(files []ingest.File) []dataset.InputFile {
	list := make([]dataset.InputFile, len(files))
	for i, f := range files {
		list[i] = dataset.InputFile{Name: f.Name, SHA256: f.SHA256, Bytes: f.Bytes}
	}
	return list
}

// unreadFiles are what was found in place of files and gave no bytes.
func unreadFiles(findings []schema.Finding, read []ingest.File) []dataset.UnreadFile {
	var list []dataset.UnreadFile
	for _, f := range findings {
		switch f.Code {
		case &schema.Unreadable, &schema.ManifestUnreadable, &schema.UnsafePath, &schema.LinkNotFollowed:
		default:
			continue
		}
		known := slices.ContainsFunc(read, func(r ingest.File) bool { return r.Name == f.File }) ||
			slices.ContainsFunc(list, func(u dataset.UnreadFile) bool { return u.Name == f.File })
		if !known {
			list = append(list, dataset.UnreadFile{Name: f.File, Have: f.Have})
		}
	}
	slices.SortFunc(list, func(a, b dataset.UnreadFile) int { return strings.Compare(a.Name, b.Name) })
	return list
}

package derive

import "github.com/assay-bench/assay/schema"

// startRow writes what the manifest says.
func (r *Run) startRow() {
	m := r.in.Manifest
	w := &r.rows.Run
	w.RunID, w.ExperimentID, w.HarnessID, w.TaskID, w.ModelKey = m.RunID, m.ExperimentID, m.HarnessID, m.TaskID, m.ModelKey
	if w.Arm = r.in.Arm; w.Arm == "" {
		w.Arm = schema.ArmName(m.HarnessID, m.ModelKey, m.Treatment)
	}
	if seed, ok := m.Seed.Get(); ok {
		w.Seed = schema.Some(seed.Text())
	}
	w.Repetition, w.ContextBudget, w.CodeRevision, w.HarnessVersion = m.Repetition, m.ContextBudget, m.CodeRevision, m.HarnessVersion
	w.HarnessConfigSHA256, w.ModelConfigSHA256, w.TaskSHA256 = m.HarnessConfigSHA256, m.ModelConfigSHA256, m.TaskSHA256
	w.CreatedAt, w.SchemaVersion, w.Treatment = m.CreatedAt, m.SchemaVersion, m.Treatment
	w.RawPath, w.ManifestSHA256 = r.in.RawPath, r.in.ManifestSHA256
	if b := m.Benchmark; b != nil {
		w.BenchmarkName, w.BenchmarkVersion, w.BenchmarkSplit = b.Name, b.Version, b.Split
	}
	if p := m.Repo; p != nil {
		w.RepoName, w.RepoCommit, w.RepoLanguage, w.RepoFiles, w.RepoLines = p.Name, p.Commit, p.Language, p.Files, p.Lines
		w.Language = p.Language
	}
	if s := m.Source; s != nil {
		w.SourceFormat, w.SourcePath, w.SourceSHA256, w.SourceLine = s.Format, s.Path, s.SHA256, s.Line
		w.SourceExperiment, w.SourceHarness, w.SourceTask, w.SourceTrial = s.Experiment, s.Harness, s.Task, s.Trial
	}
}

// taskRow writes what is known of the task; text of t may be in use by others.
func (r *Run) taskRow(t *schema.Task) {
	w := &r.rows.Run
	if !w.RepoName.Has() {
		w.RepoName = r.texts.nameOpt(t.Repo)
	}
	if !w.RepoCommit.Has() {
		w.RepoCommit = r.texts.nameOpt(t.BaseCommit)
	}
	if t.Language.Has() {
		w.Language = r.texts.nameOpt(t.Language)
	}
	w.Scenario, w.Difficulty = r.texts.nameOpt(t.Scenario), r.texts.nameOpt(t.Difficulty)
	w.StatementSHA256, w.StatementTokens = r.texts.keepOpt(t.StatementSHA256), t.StatementTokens
	w.FailToPassTests, w.PassToPassTests = t.FailToPass, t.PassToPass
	g := &r.gold
	w.GoldFiles, w.GoldDocs = countIf(g.hasFiles, g.files), countIf(g.hasDocs, g.docs)
	w.GoldFunctions = countIf(g.hasFunctions, int64(len(g.functions)))
}

func countIf(known bool, n int64) schema.Opt[int64] {
	if !known {
		return schema.None[int64]()
	}
	return schema.Some(n)
}

// endRow writes what is known once the events were read.
func (r *Run) endRow() {
	w, f, e := &r.rows.Run, &r.finish, &r.end
	w.TrajectoryFile, w.TrajectorySHA256 = textOrNone(e.TrajectoryFile), textOrNone(e.TrajectorySHA256)
	if e.TrajectoryFile != "" {
		w.TrajectoryBytes = schema.Some(e.TrajectoryBytes)
	}
	w.PatchState = r.patchState()
	if f.seen {
		w.Ending, w.Outcome = schema.Some(f.ending), schema.Some(f.outcome)
		w.FailureStageDeclared, w.ErrorKind, w.ErrorType = f.stage, f.errorKind, f.errorType
		w.FinishedAt, w.FinishedLine = f.ts, positive(f.line)
	}
	if fault := f.fault(); fault != nil {
		w.Fault = schema.Some(fault.Name)
	}
	t := e.TestResults
	if t == nil {
		return
	}
	if t.Evaluator != nil {
		w.EvaluatorName, w.EvaluatorVersion = t.Evaluator.Name, t.Evaluator.Version
	}
	for i, s := range t.Scores {
		r.rows.Scores = append(r.rows.Scores, schema.ScoreRow{RunID: w.RunID, Place: int64(i + 1),
			Name: s.Name, Value: s.Value, Min: s.Min, Max: s.Max})
	}
}

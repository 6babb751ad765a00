package derive

import (
	"github.com/assay-bench/assay/schema"
)

// place says where an event stands.
func (r *Run) place(ev *schema.Event, pos schema.Position) schema.EventPlace {
	return schema.EventPlace{RunID: r.in.Manifest.RunID, Seq: ev.Seq, Line: pos.Line, ByteOffset: pos.Offset, ByteLength: pos.Length}
}

func (r *Run) modelCall(ev *schema.Event, pos schema.Position) {
	c, t := ev.ModelCall, &r.texts
	row := schema.ModelCallRow{EventPlace: r.place(ev, pos), TS: ev.TS,
		CallID: t.keep(c.CallID), Attempt: c.Attempt.Or(1), RequestSHA256: t.keepOpt(c.RequestSHA256), ModelKey: t.nameOpt(c.ModelKey),
		CostUSD: c.CostUSD, LatencyMS: c.LatencyMS, FirstTokenMS: c.FirstTokenMS, StopReason: t.nameOpt(c.StopReason),
		Error: t.keepOpt(c.Error), Agent: t.nameOpt(c.Agent), ParentAgent: t.nameOpt(c.ParentAgent)}
	if s := c.Sampling; s != nil {
		row.Temperature, row.TopP, row.TopK, row.MaxTokens, row.SamplingSeed = s.Temperature, s.TopP, s.TopK, s.MaxTokens, s.Seed
	}
	if u := c.Usage; u != nil {
		row.InputTokens, row.OutputTokens, row.CachedInputTokens = u.InputTokens, u.OutputTokens, u.CachedInputTokens
		row.CacheWriteInputTokens, row.ReasoningTokens, row.Convention = u.CacheWriteInputTokens, u.ReasoningTokens, t.nameOpt(u.Convention)
	}
	r.rows.ModelCalls = append(r.rows.ModelCalls, row)
	r.usage.modelCall(&row)
}

func (r *Run) toolCall(ev *schema.Event, pos schema.Position) {
	c, t := ev.ToolCall, &r.texts
	row := schema.ToolCallRow{EventPlace: r.place(ev, pos), TS: ev.TS,
		CallID: t.keep(c.CallID), Tool: t.name(c.Name), Status: r.callStatus(c), ResultSHA256: t.keepOpt(c.ResultSHA256),
		ResultBytes: c.ResultBytes, ResultTokens: c.ResultTokens, LatencyMS: c.LatencyMS, ErrorKind: t.nameOpt(c.ErrorKind),
		Agent: t.nameOpt(c.Agent), ParentAgent: t.nameOpt(c.ParentAgent)}
	if a, ok := c.Arguments.Get(); ok {
		row.ArgumentsBytes = schema.Some(int64(len(a)))
	}
	r.rows.ToolCalls = append(r.rows.ToolCalls, row)
	r.usage.toolCall(&row)
	r.work.toolCall(&row)
}

// callStatus is the status of a tool call. Where the source does not record it, the
// ok that the contract asks for says nothing.
func (r *Run) callStatus(c *schema.ToolCall) schema.Opt[string] {
	if c.Status == schema.StatusOK.Name && r.omits(&schema.NotRecordedToolStatus) {
		return schema.None[string]()
	}
	return schema.Some(r.texts.name(c.Status))
}

func (r *Run) query(ev *schema.Event, pos schema.Position) {
	q, t := ev.RetrievalQuery, &r.texts
	if l, ok := q.LatencyMS.Get(); ok {
		r.retrieval.latencies = append(r.retrieval.latencies, l)
	}
	r.usesIndex(q.IndexID)
	i, _ := r.queryOf(q.QueryID, ev, pos)
	row := &r.rows.Queries[i]
	if !row.Inferred {
		return
	}
	row.Inferred = false
	row.TS, row.QueryKind = ev.TS, t.nameOpt(q.QueryKind)
	// Candidates that came before may have said these already.
	if q.Query.Has() {
		row.Query = t.keepOpt(q.Query)
	}
	if q.Source.Has() {
		row.Source = t.nameOpt(q.Source)
	}
	row.Status, row.ResultLimit, row.Results = schema.Some(t.name(q.Status)), q.Limit, schema.Some(q.Results)
	row.ResultBytes, row.IndexID = q.ResultBytes, t.nameOpt(q.IndexID)
	facts := &r.retrieval.queries[i]
	facts.tokens, facts.latency = q.ResultTokens, q.LatencyMS
	if q.QueryKind.Or("") == schema.QueryKindFinal {
		r.retrieval.final = true
	}
}

// queryOf returns the place of a query's row, made where the query is new: at
// first as one that rests on its candidates.
func (r *Run) queryOf(id string, ev *schema.Event, pos schema.Position) (int32, *queryFacts) {
	f := &r.retrieval
	// Candidates mostly belong to the query seen last.
	if last := len(r.rows.Queries) - 1; last >= 0 && r.rows.Queries[last].QueryID == id {
		return int32(last), &f.queries[last]
	}
	i, ok := f.byID[id]
	if !ok {
		i = int32(len(f.queries))
		kept := r.texts.name(id)
		f.byID[kept] = i
		f.queries = append(f.queries, queryFacts{})
		r.rows.Queries = append(r.rows.Queries, schema.QueryRow{EventPlace: r.place(ev, pos), TS: ev.TS, QueryID: kept, Inferred: true})
	}
	return i, &f.queries[i]
}

func (r *Run) candidate(ev *schema.Event, pos schema.Position) {
	c, t := ev.RetrievalCandidate, &r.texts
	i, facts := r.queryOf(c.QueryID, ev, pos)
	query := &r.rows.Queries[i]
	if query.Inferred && facts.candidates == 0 {
		query.Query, query.Source = t.keepOpt(c.Query), t.nameOpt(c.Source)
	}
	facts.candidates++
	r.rows.Candidates = append(r.rows.Candidates, schema.CandidateRow{EventPlace: r.place(ev, pos),
		QueryID: query.QueryID, Rank: c.Rank, Symbol: t.nameOpt(c.Symbol), StartLine: c.StartLine, EndLine: c.EndLine,
		Score: c.Score, Tokens: c.Tokens, Packed: c.Packed})
	row := &r.rows.Candidates[len(r.rows.Candidates)-1]
	e := r.candidateEntity(c, row)
	r.retrieval.of = append(r.retrieval.of, candidateFacts{entity: e, query: i})
	if r.gold.known {
		row.Grade = schema.Some(r.gradeOf(e))
	}
}

// candidateEntity names the candidate's file or document in its row, and returns
// the entity that the ranked list tells apart: the file where there is one.
func (r *Run) candidateEntity(c *schema.RetrievalCandidate, row *schema.CandidateRow) *entity {
	var e *entity
	if id, ok := c.DocID.Get(); ok {
		e = r.docs.doc(id)
		row.DocID = schema.Some(e.text)
	}
	if path, ok := c.File.Get(); ok {
		e = r.names.file(path)
		row.File = schema.Some(e.text)
		if e.unknown {
			r.unknown.add(row.Line, e.text)
		}
		e = e.same
	}
	return e
}

func (r *Run) fileRead(ev *schema.Event, pos schema.Position) {
	f, t := ev.FileRead, &r.texts
	e := r.touched(f.Path, pos)
	row := schema.FileReadRow{EventPlace: r.place(ev, pos), TS: ev.TS, Path: e.text, StartLine: f.StartLine, EndLine: f.EndLine,
		ContentSHA256: t.nameOpt(f.ContentSHA256), Tokens: f.Tokens, RelevanceDeclared: t.nameOpt(f.Relevance),
		Agent: t.nameOpt(f.Agent), ParentAgent: t.nameOpt(f.ParentAgent)}
	isGold := r.gradeOf(e.same) > 0
	switch {
	case r.gold.files == 0:
	case isGold:
		row.Relevance = schema.Some(schema.RelevanceGold.Name)
	default:
		row.Relevance = schema.Some(schema.RelevanceNone.Name)
	}
	r.nav.read(r, e.same, &row, isGold)
	r.rows.FileReads = append(r.rows.FileReads, row)
}

// touched returns the entity of a path that was read or edited.
func (r *Run) touched(path string, pos schema.Position) *entity {
	e := r.names.file(path)
	if e.unknown {
		r.unknown.add(pos.Line, e.text)
	}
	return e
}

func (r *Run) edit(ev *schema.Event, pos schema.Position) {
	d, t := ev.Edit, &r.texts
	row := schema.EditRow{EventPlace: r.place(ev, pos), TS: ev.TS, TargetPaths: make([]string, len(d.TargetPaths)), Applied: d.Applied,
		PatchSHA256: t.keepOpt(d.PatchSHA256), SyntaxOK: d.SyntaxOK, Error: t.keepOpt(d.Error),
		Agent: t.nameOpt(d.Agent), ParentAgent: t.nameOpt(d.ParentAgent)}
	for i, p := range d.TargetPaths {
		e := r.touched(p, pos)
		row.TargetPaths[i] = e.text
		r.nav.visit(r, e.same)
	}
	r.rows.Edits = append(r.rows.Edits, row)
	r.work.edit(&row)
}

func (r *Run) testRun(ev *schema.Event, pos schema.Position) {
	c, t := ev.TestRun, &r.texts
	row := schema.TestRunRow{EventPlace: r.place(ev, pos), TS: ev.TS, Kind: t.name(c.Kind), ExitStatus: c.ExitStatus,
		CommandID: t.nameOpt(c.CommandID), DurationMS: c.DurationMS}
	if n := c.Counts; n != nil {
		row.Passed, row.Failed, row.Errored, row.Skipped = n.Passed, n.Failed, n.Errored, n.Skipped
	}
	if p := c.FailToPass; p != nil {
		row.FailToPassPassed, row.FailToPassTotal = schema.Some(p.Passed), schema.Some(p.Total)
	}
	if p := c.PassToPass; p != nil {
		row.PassToPassPassed, row.PassToPassTotal = schema.Some(p.Passed), schema.Some(p.Total)
	}
	r.rows.TestRuns = append(r.rows.TestRuns, row)
	r.work.testRun(&row, r.believeTestRun(c, pos.Line))
}

func (r *Run) sample(ev *schema.Event, pos schema.Position) {
	s, t := ev.ResourceSample, &r.texts
	row := schema.ResourceSampleRow{EventPlace: r.place(ev, pos), TS: ev.TS, Scope: t.name(s.Scope), IndexID: t.nameOpt(s.IndexID)}
	for _, m := range s.Measurements {
		switch m.Name {
		case "rss_bytes":
			row.RSSBytes = bytesOf(m.Value)
		case "cpu_ms":
			row.CPUMS = schema.Some(m.Value.Number())
		case "disk_bytes":
			row.DiskBytes = bytesOf(m.Value)
		case "index_build_ms":
			row.IndexBuildMS = schema.Some(m.Value.Number())
		case "index_update_ms":
			row.IndexUpdateMS = schema.Some(m.Value.Number())
		case "gpu_bytes":
			row.GPUBytes = bytesOf(m.Value)
		}
	}
	r.usesIndex(s.IndexID)
	r.rows.ResourceSamples = append(r.rows.ResourceSamples, row)
	r.samples.add(&row)
}

// bytesOf is a size in bytes, which the contract asks to be an integer. One
// beyond 64 bits is missing.
func bytesOf(q schema.Quantity) schema.Opt[int64] {
	if n, ok := q.Integer(); ok {
		return schema.Some(n)
	}
	return schema.None[int64]()
}

// usesIndex notes the first index that the run names.
func (r *Run) usesIndex(id schema.Opt[string]) {
	if !r.rows.Run.IndexID.Has() {
		r.rows.Run.IndexID = r.texts.nameOpt(id)
	}
}

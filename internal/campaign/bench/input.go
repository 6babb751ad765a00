package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// A shape is how long the lines of the input are.
type shape struct {
	// name is the shape's name, in the folder and the heading.
	name string
	// candidates are the results of a query, each a line.
	candidates int
	// longest bounds the arguments of the usual tool call, in bytes.
	longest int
}

// The shapes: many candidates on short lines, as retrieval studies leave them, and
// few events with long arguments, as agents do (about 3.6 kB a line in the mean).
var (
	shortLines = shape{"short", 20, 16_000}
	longLines  = shape{"long", 1, 30_000}
)

// makeInput writes the run directories unless they are there already. A run has
// 7 queries with their candidates and some 24 other events of the sizes that agents
// leave, some of 32 to 100 KB.
func makeInput(raw string, runs int, sh shape) error {
	if _, err := os.Stat(raw); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := raw + ".making"
	if err := os.RemoveAll(temp); err != nil {
		return err
	}
	batch := record.NewBatch(temp, record.Options{Durability: record.Buffered, Secrets: record.RedactSecrets})
	for i := range runs {
		if err := makeRun(batch, i, sh); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
	}
	return os.Rename(temp, raw)
}

func makeRun(batch *record.Batch, i int, sh shape) error {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	manifest := schema.Manifest{
		ExperimentID: "bench", HarnessID: fmt.Sprintf("h%d", i%4), TaskID: fmt.Sprintf("task-%04d", i/40),
		HarnessConfig: `{"k":20,"name":"bench"}`, ModelConfig: `{"temperature":0}`, ModelKey: schema.Some("model/a"),
		Repetition: schema.Some(int64(i/4%10 + 1)), Treatment: schema.Members[schema.Scalar]{{Name: "retriever", Value: schema.StringScalar(fmt.Sprintf("r%d", i%4))}},
		Repo: &schema.Repo{Name: schema.Some(fmt.Sprintf("repo-%d", i/40%25)), Commit: schema.Some(strings.Repeat("ab", 20)), Files: schema.Some(int64(1000 + i%5000))},
	}
	w, err := batch.Create(manifest)
	if err != nil {
		return err
	}
	defer w.Close()
	b := &writing{w: w, r: r, shape: sh, ts: schema.Time(1_700_000_000_000_000 + int64(i)*1_000_000)}
	b.events(manifest.TaskID)
	if b.err != nil {
		return b.err
	}
	err = w.WriteTestResults(schema.TestResults{Tests: []schema.TestResult{
		{Name: "TestA", Set: "fail_to_pass", Status: pick(r, "passed", "failed")}, {Name: "TestB", Set: "pass_to_pass", Status: "passed"}}})
	if err != nil {
		return err
	}
	return w.Finish(schema.Some(b.ts), schema.RunFinished{Ending: "completed", Outcome: pick(r, "resolved", "unresolved")})
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// A writing appends events until one fails.
type writing struct {
	w     *record.Writer
	r     *rand.Rand
	ts    schema.Time
	err   error
	shape shape
}

func (b *writing) add(p schema.Payload) {
	b.ts += schema.Time(b.r.Int64N(3_000_000))
	if b.err == nil {
		b.err = b.w.Append(schema.Some(b.ts), p)
	}
}

func (b *writing) events(task string) {
	b.add(schema.RunStarted{Task: schema.Task{ID: task, Gold: &schema.Gold{Files: []schema.GoldFile{{Path: path(3)}, {Path: path(17)}}}}})
	for q := range 7 {
		b.query(q)
		b.add(schema.ModelCall{CallID: fmt.Sprintf("m%d", q), Usage: &schema.Usage{InputTokens: schema.Some(b.r.Int64N(20_000)), OutputTokens: schema.Some(b.r.Int64N(900))},
			CostUSD: schema.Some(schema.USD(b.r.Int64N(90_000_000))), LatencyMS: schema.Some(float64(b.r.IntN(90_000)) / 10)})
		b.add(schema.ToolCall{CallID: fmt.Sprintf("t%d", q), Name: pick(b.r, "grep", "read", "bash"), Status: "ok",
			Arguments: schema.Some(schema.Object(`{"text":"` + text(b.r, b.length()) + `"}`)), ResultBytes: schema.Some(b.r.Int64N(90_000)), LatencyMS: schema.Some(12.5)})
		b.add(schema.FileRead{Path: path(b.r.IntN(60)), Tokens: schema.Some(b.r.Int64N(4000))})
	}
	b.add(schema.Edit{TargetPaths: []string{path(3)}, Applied: true})
	b.add(schema.TestRun{Kind: "test", ExitStatus: int64(b.r.IntN(2))})
}

// length of a tool's arguments: mostly some KB, now and then much.
func (b *writing) length() int {
	switch n := b.r.IntN(100); {
	case n < 40:
		return 500 + b.r.IntN(1500)
	case n < 90:
		return 4000 + b.r.IntN(b.shape.longest)
	}
	return 32_000 + b.r.IntN(68_000)
}

func (b *writing) query(q int) {
	id := fmt.Sprintf("q%d", q)
	b.add(schema.RetrievalQuery{QueryID: id, Results: int64(b.shape.candidates), Status: "ok", Query: schema.Some(text(b.r, 60)), Source: schema.Some("bm25"),
		Limit: schema.Some(int64(20)), LatencyMS: schema.Some(float64(b.r.IntN(400)) / 10)})
	for rank := range b.shape.candidates {
		b.add(schema.RetrievalCandidate{QueryID: id, Rank: int64(rank + 1), File: schema.Some(path(b.r.IntN(60))), Score: schema.Some(20 - float64(rank) + b.r.Float64()/2),
			Tokens: schema.Some(b.r.Int64N(900)), StartLine: schema.Some(int64(1 + b.r.IntN(500)))})
	}
}

func path(n int) string { return fmt.Sprintf("src/package_%d/module_%d.go", n%9, n) }

// text has a fifth of words outside ASCII and an escape now and then.
func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		switch r.IntN(10) {
		case 0, 1:
			b.WriteString("größe ")
		case 2:
			b.WriteString(`line\n`)
		default:
			b.WriteString("function ")
		}
	}
	return b.String()
}

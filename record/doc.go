// Package record writes run directories: the one package that a harness author
// imports, and what importers and evaluators write their runs with.
//
//	w, err := record.Create("results/raw", manifest, record.Options{Clock: record.SystemClock})
//	if err != nil { … }
//	defer w.Close()
//	w.Append(now, schema.RunStarted{Task: schema.Task{ID: "t1"}})
//	w.Append(now, schema.ModelCall{CallID: "c1", …})
//	w.Finish(now, schema.RunFinished{Ending: …, Outcome: …})
//
// A run directory is created exclusively and never overwritten. The writer fills
// in hashes and the run id of the manifest, numbers the events, validates each
// before it is written, refuses secrets and environment contents, and lists the
// hash of every file at the end. Killed at any instant it leaves a valid prefix:
// whole lines and at most one cut one.
package record

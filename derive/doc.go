// Package derive turns the events of one run into its rows: runs, queries,
// candidates, calls, reads, edits, checks, samples, and every metric of the
// registry of package schema.
//
// It is pure: it opens no file and reads no clock. The caller streams a run's
// events in order and hands over what was found beside them:
//
//	r := derive.New()
//	for each run:
//		r.Start(derive.Input{Manifest: m, RawPath: path})
//		for each event: r.Event(ev, pos)
//		rows := r.Finish(derive.Closing{TestResults: t, Findings: f})
//		write rows
//
// A Run is reused from run to run, so that its buffers are; it belongs to one
// goroutine. The rows depend on the run alone, never on the runs before it.
//
// Absent is not zero: a value that cannot be told is missing with its reason.
// Sums of doubles are taken in the order of events, and products that are added
// are rounded first, so that every machine gives the same digits.
package derive

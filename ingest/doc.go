// Package ingest reads raw run directories: it finds them, reads every file once,
// checks every sentence of the contract, and hands on typed events and findings.
//
// Bad data is a finding, never an error: a fault never stops the whole read and
// never disappears. Errors are left for the environment, such as too many open
// files. Nothing is salvaged by guessing: a line that is not exactly one JSON
// object gives no event.
//
//	found, err := ingest.Discover(roots)
//	reader := ingest.NewReader(ingest.Options{})
//	for _, dir := range found.Runs {
//		run, err := reader.ReadRun(dir, func(e *schema.Event, p schema.Position) { … })
//		if code := run.ExcludedBy(); code != nil && !code.EventsKept { /* drop its events */ }
//	}
package ingest

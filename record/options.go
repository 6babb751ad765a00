package record

import (
	"time"

	"github.com/assay-bench/assay/schema"
)

// Options say how a run directory is written. The zero value writes durably,
// refuses secrets and leaves missing times null.
type Options struct {
	// Clock gives an event its time where the caller gives none, and the manifest
	// its created_at. Nil leaves them null: an importer never invents a time.
	Clock func() schema.Time
	// Retry sets an unfinished run with the same id aside, renamed to
	// <run_id>.unfinished-<n>, and writes the run anew.
	Retry bool
	// Durability says when bytes reach the disk.
	Durability Durability
	// Secrets says what happens to text that looks like a secret.
	Secrets SecretPolicy
	// Environ are NAME=value pairs, as from os.Environ. The values of those whose
	// name announces a secret are themselves treated as secrets.
	Environ []string
}

// Durability says when the bytes of a run reach the disk.
type Durability int

// The durabilities.
const (
	// Durable writes each event as it comes and flushes the disk at run_finished.
	Durable Durability = iota
	// Buffered writes in blocks and leaves flushing to the system: for importers
	// and simulations, whose runs can be made again.
	Buffered
)

// SecretPolicy says what happens to text that looks like a secret.
type SecretPolicy int

// The policies.
const (
	// RefuseSecrets makes a secret an error, so that its source is repaired.
	RefuseSecrets SecretPolicy = iota
	// RedactSecrets replaces it: for importers, whose sources are what they are.
	RedactSecrets
)

// SystemClock is the system's time, for Options.Clock.
func SystemClock() schema.Time { return schema.TimeOf(time.Now()) }

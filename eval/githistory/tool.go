package githistory

import (
	"context"
	"time"

	"github.com/assay-bench/assay/schema"
)

// Tool answers queries over one export. Search is called from several goroutines at once.
type Tool interface {
	// Search answers one question. What goes wrong inside the tool is a status of the answer; an error is only
	// a cancelled ctx.
	Search(ctx context.Context, q Query) (Answer, error)
	// Close ends what the tool started.
	Close() error
}

// Query is one question to a tool.
type Query struct {
	// Text is the question.
	Text string
	// Limit is how many results are wanted.
	Limit int
	// Budget is how many tokens they may take.
	Budget int
}

// Status is how a call of a tool ended: a word of the contract.
type Status string

// The statuses. They are never changed.
var (
	// StatusOK: the tool answered, if only with nothing.
	StatusOK = Status(schema.StatusOK.Name)
	// StatusError: it failed or printed what cannot be read.
	StatusError = Status(schema.StatusError.Name)
	// StatusTimeout: it was ended at the time limit.
	StatusTimeout = Status(schema.StatusTimeout.Name)
)

// Hit is one result, in the order of the answer.
type Hit struct {
	// File is the path as it is scored: relative to the root, or as the tool wrote it where it names no file.
	File string
	// Known is false where no file or link of the base tree has that path.
	Known bool
	// Score is the tool's own, where it gave one.
	Score float64
	// HasScore is true where Score was given.
	HasScore bool
	// Symbol is the definition that was found, with its lines; empty where the result is a file.
	Symbol string
	// StartLine and EndLine are the lines of Symbol.
	StartLine, EndLine int
	// Sources are the ranks that a fused result came from.
	Sources []Source
}

// Source is the place of a fused result in one of the lists that were fused.
type Source struct {
	// Name is the list's.
	Name string
	// Rank is from 1.
	Rank int
	// Score is that list's.
	Score float64
}

// Call is one question put to a tool and what it said.
type Call struct {
	// Text is what was asked.
	Text string
	// Hits is what it named, best first.
	Hits []Hit
	// Status is how it ended.
	Status Status
	// Reason is one line where it did not end well.
	Reason string
	// Bytes is the size of the serialised answer with the export's root cut off.
	Bytes int
	// Elapsed is the wall time. It stands in the run directory and in no report.
	Elapsed time.Duration
}

// Answer is what a tool said to one query, with every call that it took.
type Answer struct {
	// Calls has one entry a call; more than one only where the query was expanded into keywords.
	Calls []Call
	// Hits is the final list. With one call it is that call's.
	Hits []Hit
	// Fusion names how several lists became one; empty with one list.
	Fusion string
	// Status is the worst of the calls.
	Status Status
	// Reason is that of the first call that did not end well.
	Reason string
}

// Bytes is the size of everything that the tool returned.
func (a Answer) Bytes() int {
	n := 0
	for _, call := range a.Calls {
		n += call.Bytes
	}
	return n
}

// Tokens is the size in tokens: four bytes each, rounded up.
func Tokens(bytes int) int { return (bytes + 3) / 4 }

// single is the answer of one call.
func single(call Call) Answer {
	return Answer{Calls: []Call{call}, Hits: call.Hits, Status: call.Status, Reason: call.Reason}
}

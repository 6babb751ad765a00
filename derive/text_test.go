package derive

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/assay-bench/assay/schema"
)

// Text of an event may be overwritten once the call is over; rows keep theirs.
func TestRowsKeepTheirText(t *testing.T) {
	line := []byte("call-1 pkg/file.go some query text")
	in := func(from, to int) string { return unsafe.String(&line[from], to-from) }
	r := New()
	r.Start(Input{Manifest: testManifest()})
	events := []schema.Event{
		{Seq: 1, Type: &schema.EventRunStarted, RunStarted: &schema.RunStarted{Task: schema.Task{ID: "t", Scenario: schema.Some(in(0, 4)), Gold: goldFiles(in(7, 18))}}},
		{Seq: 2, Type: &schema.EventModelCall, ModelCall: &schema.ModelCall{CallID: in(0, 6)}},
		{Seq: 3, Type: &schema.EventRetrievalQuery, RetrievalQuery: &schema.RetrievalQuery{QueryID: in(5, 6), Query: schema.Some(in(19, 34)), Status: "ok", Results: 1}},
		{Seq: 4, Type: &schema.EventRetrievalCandidate, RetrievalCandidate: &schema.RetrievalCandidate{QueryID: in(5, 6), Rank: 1, File: schema.Some(in(7, 18))}},
		{Seq: 5, Type: &schema.EventEdit, Edit: &schema.Edit{TargetPaths: []string{in(7, 18)}}},
	}
	for i := range events {
		r.Event(&events[i], schema.Position{Line: int64(i + 1)})
	}
	copy(line, strings.Repeat("#", len(line)))
	rows := r.Finish(Closing{})
	for what, have := range map[string]string{
		"call-1": rows.ModelCalls[0].CallID, "call": rows.Run.Scenario.Or(""), "1": rows.Queries[0].QueryID,
		"some query text": rows.Queries[0].Query.Or(""), "pkg/file.go": rows.Candidates[0].File.Or("") + "",
	} {
		if have != what {
			t.Errorf("have %q, want %q", have, what)
		}
	}
	if have := rows.Edits[0].TargetPaths[0]; have != "pkg/file.go" {
		t.Errorf("target_paths: have %q", have)
	}
	wants(t, rows, map[string]string{"hit_at_1": "1"})
}

func TestKeepLongText(t *testing.T) {
	var texts texts
	texts.start()
	for _, n := range []int{0, 1, chunk / 8, chunk/8 + 1, chunk, 3 * chunk, 5} {
		s := strings.Repeat("x", n)
		if have := texts.keep(s); have != s {
			t.Errorf("%d bytes: have %d", n, len(have))
		}
	}
}

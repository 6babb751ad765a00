package duck

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A View is a view that OpenStudy adds to the tables of a dataset.
type View struct {
	// Name is the view's name.
	Name string
	// Doc says what a row is.
	Doc string
}

// The views that OpenStudy adds.
var (
	ViewIncluded  = View{"included", "The runs that are not excluded."}
	ViewRetrieved = View{"retrieved", "The included runs to which retrieval metrics apply: those with a retrieval event."}
	ViewEvents    = View{"events", "One row an event, of whichever type; run_started and run_finished stand in runs."}
)

// Views lists them.
var Views = []View{ViewIncluded, ViewRetrieved, ViewEvents}

// eventTables says which events the rows of a table are, and whether they have times.
var eventTables = []struct {
	table *schema.Table
	event *schema.EventType
	where string
	times bool
}{
	{&schema.TableModelCalls, &schema.EventModelCall, "", true},
	{&schema.TableToolCalls, &schema.EventToolCall, "", true},
	{&schema.TableQueries, &schema.EventRetrievalQuery, " WHERE NOT inferred", true}, // the others stand for candidates
	{&schema.TableCandidates, &schema.EventRetrievalCandidate, "", false},
	{&schema.TableFileReads, &schema.EventFileRead, "", true},
	{&schema.TableEdits, &schema.EventEdit, "", true},
	{&schema.TableTestRuns, &schema.EventTestRun, "", true},
	{&schema.TableResourceSamples, &schema.EventResourceSample, "", true},
}

// eventColumns are the columns that the tables of events share.
var eventColumns = []string{"run_id", "seq", "included", "line", "byte_offset", "byte_length"}

// eventsView is the event tables one below another; none where one is not there.
func eventsView(tables []Relation) []Relation {
	var parts []string
	for _, t := range eventTables {
		if !slices.ContainsFunc(tables, func(r Relation) bool { return r.Name == t.table.Name && len(r.Files) > 0 }) {
			return nil
		}
		ts := "NULL::TIMESTAMPTZ"
		if t.times {
			ts = "ts"
		}
		parts = append(parts, "SELECT run_id, seq, "+literal(t.event.Name)+" AS type, "+ts+" AS ts, included, line, byte_offset, byte_length FROM "+identifier(t.table.Name)+t.where)
	}
	columns := []schema.Column{{Name: "type", Doc: "the event's type"}, {Name: "ts", Doc: "the event's time; missing for candidates, whose query has one"}}
	for _, c := range schema.TableModelCalls.Columns() {
		if slices.Contains(eventColumns, c.Name) {
			columns = append(columns, c)
		}
	}
	return []Relation{{Name: ViewEvents.Name, Doc: ViewEvents.Doc, Query: strings.Join(parts, " UNION ALL "), Columns: columns}}
}

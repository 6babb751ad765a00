package tables

import (
	"fmt"
	"slices"
	"strings"
)

// A Spec says what a table is and how its cells are drawn from the records of
// its query. The shipped tables and a user's own have the same shape; in JSON its
// fields have the names of their tags.
type Spec struct {
	// Number is the table's number in the paper, 0 for a user's own.
	Number int `json:"number,omitzero"`
	// Name is the stem of its files and of its LaTeX label.
	Name string `json:"name"`
	// Title is one line; Caption says what the reader looks at.
	Title   string `json:"title"`
	Caption string `json:"caption,omitzero"`
	// SQL is the query. It stands in a file of its own, NAME.sql.
	SQL string `json:"-"`
	// RunsSQL says which runs stand behind each row: the key columns, run_id, and
	// role. It stands in NAME.runs.sql; without it the cells cannot be opened.
	RunsSQL string `json:"-"`
	// Key names the query columns that together identify a row.
	Key []string `json:"key"`
	// Rule names a query column that is true in rows with a line above them.
	Rule string `json:"rule,omitzero"`
	// Indent names a query column that is true in rows that are part of the one above.
	Indent string `json:"indent,omitzero"`
	// Columns are the table's columns from left to right.
	Columns []ColumnSpec `json:"columns"`
	// Notes are sentences below the table.
	Notes []string `json:"notes,omitzero"`
	// NoteColumns name query columns whose texts, each once and column by column,
	// become further notes: what only the data can say, such as the number of tests
	// in a family.
	NoteColumns []string `json:"note_columns,omitzero"`
	// Empty is the sentence that says why there are no rows, and Events the types
	// of the events that would make some.
	Empty  string   `json:"empty,omitzero"`
	Events []string `json:"events,omitzero"`
	// Family names the tests that are adjusted together; empty if there are none.
	Family string `json:"family,omitzero"`
}

// A ColumnSpec is a column and where its cells come from.
//
// A column of key resolved_at_1 draws its value from the query column
// resolved_at_1 and its other parts from resolved_at_1_numerator and so on, the
// very names that CSV has (Kind.Parts lists them), and its state and reason from
// resolved_at_1_state and resolved_at_1_why. From says where it is otherwise.
// Only the parts that Required names must be there.
type ColumnSpec struct {
	// Key, Heading, Unit, Group, Kind, Align and Stub are those of Column. The
	// heading is the key if it is not given.
	Key     string `json:"key"`
	Heading string `json:"heading,omitzero"`
	Unit    string `json:"unit,omitzero"`
	Group   string `json:"group,omitzero"`
	Kind    Kind   `json:"kind"`
	Align   Align  `json:"align,omitzero"`
	Stub    bool   `json:"stub,omitzero"`
	// Section is that of Column.
	Section bool `json:"section,omitzero"`
	// NumberFormat is how its numbers are printed.
	NumberFormat
	// From maps a part to the query column it is drawn from; the value itself is
	// the part "value".
	From map[string]string `json:"from,omitzero"`
	// Of is the column of runs that the cells aggregate, default the key; $name
	// takes it from the row's key column of that name; study_primary() is the
	// primary outcome; "-" names none, so that the cell rests on the row's runs as such.
	Of string `json:"of,omitzero"`
	// Against is the role of the runs that the cells compare the row's runs with,
	// such as baseline. They stand behind no column that does not name it.
	Against string `json:"against,omitzero"`
	// Counted is what the n of the cells counts where it is not runs, such as tasks:
	// an explanation says it, since it lists runs.
	Counted string `json:"counted,omitzero"`
	// Null is what a NULL without a reason means: StateMissing, which is the
	// default, or StateNotApplicable.
	Null State `json:"null,omitzero"`
}

// The parts a cell has beside those of its kind.
const (
	partValue = "value" // the part that Kind.Parts calls ""
	partState = "state"
	partWhy   = "why"
)

// Required are the parts without which there is no value of the kind. Of a
// p-value either is enough.
func (k Kind) Required() []string {
	switch k {
	case KindRate:
		return []string{"numerator", "denominator"}
	case KindInterval:
		return []string{"low", "high"}
	case KindQuartiles:
		return []string{partValue, "q1", "q3"}
	case KindShare:
		return []string{"count", "total"}
	}
	return []string{partValue}
}

// column is the grid's column.
func (c ColumnSpec) column() Column {
	heading := c.Heading
	if heading == "" {
		heading = c.Key
	}
	return Column{Key: c.Key, Heading: heading, Unit: c.Unit, Group: c.Group, Kind: c.Kind, Format: c.NumberFormat, Align: c.Align, Stub: c.Stub, Section: c.Section}
}

// source is the query column a part is drawn from.
func (c ColumnSpec) source(part string) string {
	if from, ok := c.From[part]; ok {
		return from
	}
	if part == partValue {
		return c.Key
	}
	return c.column().part(part)
}

// columns are the grid's columns.
func (s Spec) columns() []Column {
	var columns []Column
	for _, c := range s.Columns {
		columns = append(columns, c.column())
	}
	return columns
}

// Validate says the first thing that is wrong with a specification.
func (s Spec) Validate() error {
	switch {
	case !nameForm.MatchString(s.Name):
		return fmt.Errorf("name: have %q, want letters, digits, . _ and -", s.Name)
	case s.Number < 0:
		return fmt.Errorf("number: have %d, want none below 0", s.Number)
	case s.Title == "":
		return fmt.Errorf("title: have none, want one")
	case strings.TrimSpace(s.SQL) == "":
		return fmt.Errorf("sql: have none, want a query in %s.sql", s.Name)
	case len(s.Key) == 0:
		return fmt.Errorf("key: have none, want the query columns that identify a row")
	}
	if err := checkColumns(s.columns()); err != nil {
		return err
	}
	for _, c := range s.Columns {
		if err := c.checkSources(); err != nil {
			return fmt.Errorf("column %q: %w", c.Key, err)
		}
	}
	return nil
}

// checkSources says what is wrong with where a column is drawn from.
func (c ColumnSpec) checkSources() error {
	if c.Null != "" && c.Null != StateMissing && c.Null != StateNotApplicable {
		return fmt.Errorf("null: have %q, want %s or %s", c.Null, StateMissing, StateNotApplicable)
	}
	parts := c.parts()
	for _, part := range sortedKeys(c.From) {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("from: have %q, want a part of %s: %s", part, c.Kind, strings.Join(parts, ", "))
		}
	}
	return nil
}

// parts are the names From may have.
func (c ColumnSpec) parts() []string {
	var parts []string
	for _, part := range c.Kind.Parts() {
		if part == "" {
			part = partValue
		}
		parts = append(parts, part)
	}
	return append(parts, partState, partWhy)
}

// emptySentence says why there are no rows and what would make some.
func (s Spec) emptySentence() string {
	if len(s.Events) == 0 {
		return s.Empty
	}
	return joined(s.Empty, "Events that would fill it: "+strings.Join(s.Events, ", ")+".")
}

package tables

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A Grid is a table, filled and unrounded, before it takes a format.
type Grid struct {
	// Number is the table's number in the paper, 0 for a table without one.
	Number int
	// Name is the stem of file names and labels, such as correctness.
	Name string
	// Title is one line; Caption says what the reader looks at, and may be empty.
	Title, Caption string
	// Columns are the columns from left to right, those with Stub first.
	Columns []Column
	// Rows are the rows from top to bottom; a cell a column.
	Rows []Row
	// Empty is the sentence that stands in place of the rows when there are none.
	Empty string
	// Notes are sentences below the table.
	Notes []string
	// Lineage is the last line: dataset, runs, versions, name of the lineage file.
	Lineage string
}

// An Align is where the text of a column stands.
type Align string

// The alignments. The empty Align is Left for text and Right for the rest.
const (
	Left   Align = "left"
	Right  Align = "right"
	Center Align = "center"
)

// A Column is one column of a grid.
type Column struct {
	// Key names the column in --col, CSV and JSON: a-z, 0-9 and _.
	Key string
	// Heading stands above the column, with Unit in parentheses where there is one.
	Heading, Unit string
	// Group is the heading that spans this column and its neighbours of the same group.
	Group string
	// Kind is the kind of every value in the column.
	Kind Kind
	// Format is how its numbers are printed.
	Format NumberFormat
	// Align is where the text stands.
	Align Align
	// Stub marks a column that names the row rather than telling about it. It
	// holds texts, and formats that split a wide table repeat it.
	Stub bool
	// Section lets formats that set a table by width print the first stub column
	// as a line of its own above the rows that share it, rather than in each.
	Section bool
}

// A Row is one row of a grid.
type Row struct {
	// Key names the row in --row, CSV and JSON; unique in the grid.
	Key string
	// Rule asks for a line above the row, as before a total.
	Rule bool
	// Indent sets the row's name in from the left, as that of a part of the row above.
	Indent bool
	// Cells has a cell a column.
	Cells []Cell
}

// RowKey joins the values that identify a row with "::". A colon that could be
// taken for a part of a separator, every percent sign and every control character
// is written as in a URL, so that a key can be printed, quoted and copied.
func RowKey(values ...string) string {
	escaped := make([]string, len(values))
	for i, v := range values {
		v = strings.ReplaceAll(v, "%", "%25")
		v = strings.ReplaceAll(v, "::", "%3A%3A")
		if strings.HasPrefix(v, ":") {
			v = "%3A" + v[1:]
		}
		if strings.HasSuffix(v, ":") {
			v = v[:len(v)-1] + "%3A"
		}
		escaped[i] = escapeControls(v)
	}
	return strings.Join(escaped, "::")
}

func escapeControls(v string) string {
	var b strings.Builder
	for _, r := range v {
		if !unicode.IsControl(r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Stem is the name of the table's files without extension: its number, or its
// name if it has none.
func (g Grid) Stem() string {
	if g.Number > 0 {
		return strconv.Itoa(g.Number)
	}
	return g.Name
}

// Head is the number and title in one line.
func (g Grid) Head() string {
	if g.Number > 0 {
		return "Table " + strconv.Itoa(g.Number) + ". " + g.Title
	}
	return g.Title
}

// Head is the heading with its unit.
func (c Column) Head() string {
	if c.Unit == "" {
		return c.Heading
	}
	return joined(c.Heading, "("+c.Unit+")")
}

// fullHead is the head with that of its group, where the two stand on one line.
func (c Column) fullHead() string {
	if c.Group == "" {
		return c.Head()
	}
	return c.Group + ": " + c.Head()
}

// align is Align with its default.
func (c Column) align() Align {
	switch {
	case c.Align != "":
		return c.Align
	case c.Kind == KindText:
		return Left
	}
	return Right
}

// part is the name of a part of the column in CSV.
func (c Column) part(name string) string {
	if name == "" {
		return c.Key
	}
	return c.Key + "_" + name
}

// At is the cell of a row and a column, by their keys.
func (g Grid) At(row, column string) (Cell, bool) {
	for _, r := range g.Rows {
		if r.Key != row {
			continue
		}
		for i, c := range g.Columns {
			if c.Key == column {
				return r.Cells[i], true
			}
		}
	}
	return Cell{}, false
}

var (
	nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	keyForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// Validate says the first thing that is wrong with a grid. The formats expect a
// grid without errors.
func (g Grid) Validate() error {
	if !nameForm.MatchString(g.Name) {
		return fmt.Errorf("table: name: have %q, want letters, digits, . _ and -", g.Name)
	}
	if err := checkColumns(g.Columns); err != nil {
		return fmt.Errorf("table %s: %w", g.Stem(), err)
	}
	seen := map[string]bool{}
	for _, r := range g.Rows {
		if r.Key == "" || seen[r.Key] {
			return fmt.Errorf("table %s: row: have the key %q twice or empty, want one key a row", g.Stem(), r.Key)
		}
		seen[r.Key] = true
		if err := g.checkRow(r); err != nil {
			return fmt.Errorf("table %s: row %s: %w", g.Stem(), r.Key, err)
		}
	}
	return nil
}

// checkRow says what is wrong with one row.
func (g Grid) checkRow(r Row) error {
	if len(r.Cells) != len(g.Columns) {
		return fmt.Errorf("have %d cells, want %d", len(r.Cells), len(g.Columns))
	}
	for i, c := range r.Cells {
		if err := c.check(g.Columns[i].Kind); err != nil {
			return fmt.Errorf("column %s: %w", g.Columns[i].Key, err)
		}
		if g.Columns[i].Stub && c.State != StateValue {
			return fmt.Errorf("column %s: have state %s, want a text, as it names the row", g.Columns[i].Key, c.State)
		}
	}
	return nil
}

// checkColumns says what is wrong with the columns of a grid or a specification.
func checkColumns(columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("columns: have none, want at least one")
	}
	taken := map[string]bool{rowColumn: true}
	for i, c := range columns {
		if err := c.check(); err != nil {
			return fmt.Errorf("column %q: %w", c.Key, err)
		}
		if c.Stub && i > 0 && !columns[i-1].Stub {
			return fmt.Errorf("column %q: have a stub after other columns, want stubs first", c.Key)
		}
		for _, name := range c.csvNames() {
			if taken[name] {
				return fmt.Errorf("column %q: have %q a second time in the CSV head, want another key", c.Key, name)
			}
			taken[name] = true
		}
	}
	return nil
}

// check says what is wrong with a column by itself.
func (c Column) check() error {
	switch {
	case !keyForm.MatchString(c.Key):
		return fmt.Errorf("key: want a-z, 0-9 and _, beginning with a letter")
	case c.Kind.Parts() == nil:
		return fmt.Errorf("kind: have %q, want one of %v", c.Kind, Kinds)
	case c.Stub && c.Kind != KindText:
		return fmt.Errorf("kind: have %q in a stub, want %s", c.Kind, KindText)
	case c.Align != "" && c.Align != Left && c.Align != Right && c.Align != Center:
		return fmt.Errorf("align: have %q, want %s, %s or %s", c.Align, Left, Right, Center)
	case c.Format.Digits < 0 || c.Format.Digits > 20:
		return fmt.Errorf("digits: have %d, want 0 to 20", c.Format.Digits)
	case c.Format.Shift < -20 || c.Format.Shift > 20:
		return fmt.Errorf("shift: have %d, want -20 to 20", c.Format.Shift)
	}
	return nil
}

// notes are the notes, then what the marks mean that stand in the grid.
func (g Grid) notes() []string {
	return append(append([]string{}, g.Notes...), g.legend()...)
}

// legend explains the marks that occur.
func (g Grid) legend() []string {
	var marks []string
	for _, m := range []struct {
		state State
		says  string
	}{
		{StateMissing, markMissing + " missing (not observed, never counted as 0)"},
		{StateNotEstimable, markNotEstimable + " not estimable, with the reason"},
		{StateNotApplicable, markNotApplicable + " not applicable"},
	} {
		if g.has(func(c Cell) bool { return c.State == m.state }) {
			marks = append(marks, m.says)
		}
	}
	if g.has(func(c Cell) bool { return c.State == StateValue && c.Value.Kind() == KindRate }) {
		marks = append(marks, "rates are numerator / observed runs, excl. are the excluded and missing runs, absent the planned runs that are not there")
	}
	if g.has(func(c Cell) bool { r, ok := c.Value.(Rate); return ok && r.Denominator == 0 }) {
		marks = append(marks, "n/a a rate of which nothing was observed")
	}
	if len(marks) == 0 {
		return nil
	}
	return []string{strings.Join(marks, "; ") + "."}
}

// has reports whether a cell is as asked.
func (g Grid) has(is func(Cell) bool) bool {
	for _, r := range g.Rows {
		for _, c := range r.Cells {
			if is(c) {
				return true
			}
		}
	}
	return false
}

// emptySentence is what stands in place of rows; empty if there are rows.
func (g Grid) emptySentence() string {
	if len(g.Rows) > 0 {
		return ""
	}
	if g.Empty == "" {
		return "There is nothing to show."
	}
	return g.Empty
}

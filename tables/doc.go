// Package tables makes paper tables: a query's rows become a grid, and the grid
// becomes Markdown, LaTeX, CSV, JSON, HTML or text for a terminal.
//
// A table is a Spec (title, columns, how each cell is drawn from the columns of
// the query) and one SQL file. Spec.Draw turns the query's records into a Grid;
// the formats know nothing but the Grid. A user's own tables are a Spec in JSON
// with its SQL file beside it, read by ReadSpecs.
//
// A cell shows one of four things, which are never mixed: a value (0 is one),
// missing (—), not estimable (n.e., with the reason), not applicable (·).
// Values stay unrounded in the grid. They are rounded once, when a table meant
// for reading is printed, and from the very decimal that CSV and JSON print, so
// that a reader who rounds the published number gets the printed one.
//
// Every text that reaches a table is data and is escaped for the format it
// enters: heads, captions and notes as much as cells.
package tables

package duck

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// ExportParquet writes the rows of a query into the scratch file that Options
// named, and returns its path. A HUGEINT, which every sum of integers is, becomes a
// DECIMAL(38,0): Parquet has no such integer, and the engine would write a double.
func (db *DB) ExportParquet(ctx context.Context, query string) (string, error) {
	if db.scratch == "" {
		return "", fmt.Errorf("have no scratch file, want one in the options")
	}
	columns, err := db.columns(ctx, query)
	if err != nil {
		return "", err
	}
	// The line feed ends a comment at the end of the query.
	query = Statements(query)[0] + "\n"
	var exact []string
	for _, c := range columns {
		if c.Type.Name == "HUGEINT" {
			exact = append(exact, identifier(c.Name)+"::DECIMAL(38,0) AS "+identifier(c.Name))
		}
	}
	all := "*"
	if len(exact) > 0 {
		all += " REPLACE (" + strings.Join(exact, ", ") + ")"
	}
	// DESCRIBE and SHOW give rows, too, but not to COPY itself.
	query = "SELECT " + all + " FROM (" + query + ")"
	return db.scratch, plainError(db.exec(ctx, "COPY ("+query+") TO "+literal(db.scratch)+" (FORMAT parquet, COMPRESSION zstd)"))
}

// exportStatements make a table of every view of the source that a list names, with
// the comments of its columns. What a study keeps under a name of its own stands in a
// view already.
const exportStatements = `SELECT statement FROM (
	SELECT 1 AS place, view_name AS of, 0 AS part, format('CREATE TABLE exported."{}" AS SELECT * FROM "{}"', view_name, view_name) AS statement
	FROM duckdb_views() WHERE NOT internal
	UNION ALL
	SELECT 2, view_name, 0, format('COMMENT ON TABLE exported."{}" IS ''{}''', view_name, replace(comment, '''', ''''''))
	FROM duckdb_views() WHERE NOT internal AND comment IS NOT NULL
	UNION ALL
	SELECT 2, table_name, column_index, format('COMMENT ON COLUMN exported."{}"."{}" IS ''{}''', table_name, replace(column_name, '"', '""'), replace(comment, '''', ''''''))
	FROM duckdb_columns() WHERE NOT internal AND comment IS NOT NULL AND table_name IN (SELECT view_name FROM duckdb_views() WHERE NOT internal)
) WHERE NOT ends_with(of, '` + storedSuffix + `') AND of IN `

// ExportDatabase copies every view of the source, with its comments, into a new
// database file, which must be among the files that Options allowed to write.
func (db *DB) ExportDatabase(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	copies, err := db.Query(ctx, exportStatements+"("+strings.Join(append([]string{"NULL"}, db.own...), ", ")+") ORDER BY place, of, part")
	if err != nil {
		return err
	}
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	statements := []string{"ATTACH " + literal(abs) + " AS exported"}
	for _, row := range copies.Rows {
		statements = append(statements, row[0].Text)
	}
	for _, s := range append(statements, "DETACH exported") {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return plainError(err)
		}
	}
	return nil
}

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
	if len(exact) > 0 {
		query = "SELECT * REPLACE (" + strings.Join(exact, ", ") + ") FROM (" + query + ")"
	}
	return db.scratch, plainError(db.exec(ctx, "COPY ("+query+") TO "+literal(db.scratch)+" (FORMAT parquet, COMPRESSION zstd)"))
}

// ExportDatabase copies every view of the source into a new database file, which
// must be among the files that Options allowed to write.
func (db *DB) ExportDatabase(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	res, err := db.Query(ctx, "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_name")
	if err != nil {
		return err
	}
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	statements := []string{"ATTACH " + literal(abs) + " AS exported"}
	for _, row := range res.Rows {
		name := identifier(row[0].Text)
		statements = append(statements, "CREATE TABLE exported."+name+" AS SELECT * FROM "+name)
	}
	for _, s := range append(statements, "DETACH exported") {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return plainError(err)
		}
	}
	return nil
}

package duck

import (
	"context"
	"fmt"
	"path/filepath"
)

// ExportParquet writes the rows of a query into the scratch file that Options
// named, and returns its path.
func (db *DB) ExportParquet(ctx context.Context, query string) (string, error) {
	if db.scratch == "" {
		return "", fmt.Errorf("have no scratch file, want one in the options")
	}
	if err := db.check(ctx, query); err != nil {
		return "", err
	}
	// The line feed ends a comment at the end of the query.
	query = Statements(query)[0]
	return db.scratch, plainError(db.exec(ctx, "COPY ("+query+"\n) TO "+literal(db.scratch)+" (FORMAT parquet, COMPRESSION zstd)"))
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

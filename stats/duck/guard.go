package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
)

// ownNames asks for the names of all views and macros that there are, in small
// letters: the case of a name tells nothing apart.
const ownNames = `SELECT DISTINCT lower(name) AS name FROM (
	SELECT view_name AS name FROM duckdb_views() WHERE NOT internal
	UNION ALL SELECT function_name FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL) ORDER BY name`

// remember keeps the names of the source's views and macros and of the functions of
// statistics, which no statement of a user may change.
func (db *DB) remember(ctx context.Context) error {
	res, err := db.Query(ctx, ownNames)
	if err != nil {
		return err
	}
	for _, row := range res.Rows {
		db.own = append(db.own, literal(row[0].Text))
	}
	for _, f := range Functions {
		db.own = append(db.own, literal(f.Name))
	}
	return nil
}

// definitions is a query for one hash over what the views and macros of the source
// are, and over everything that bears the name of one, in whichever schema: a
// temporary view of the same name would stand before it.
func (db *DB) definitions() string {
	return `SELECT md5(coalesce(string_agg(what, chr(10) ORDER BY what), '')) FROM (
	SELECT concat_ws(' ', 'view', database_name, schema_name, view_name, sql) AS what, view_name AS name FROM duckdb_views() WHERE NOT internal
	UNION ALL SELECT concat_ws(' ', 'table', database_name, schema_name, table_name, sql), table_name FROM duckdb_tables() WHERE NOT internal
	UNION ALL SELECT concat_ws(' ', 'macro', database_name, schema_name, function_name, parameters::VARCHAR, macro_definition), function_name
	FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL
) WHERE lower(name) IN (` + strings.Join(append([]string{"NULL"}, db.own...), ", ") + `)`
}

// errDefines refuses a statement that would change what the source's views are: an
// answer to a later question would rest on something else than its name says.
var errDefines = errors.New("have a statement that drops, replaces or hides a view or a macro of the dataset, want one of another name")

// guarded runs a statement that defines something, and takes it back where it
// changed a view or a macro of the source.
func (db *DB) guarded(ctx context.Context, conn driver.Conn, run func() error) error {
	before, err := oneText(ctx, conn, db.definitions())
	if err != nil {
		return err
	}
	execer := conn.(driver.ExecerContext)
	if _, err := execer.ExecContext(ctx, "BEGIN TRANSACTION", nil); err != nil {
		return plainError(err)
	}
	err = run()
	if err == nil {
		var after string
		if after, err = oneText(ctx, conn, db.definitions()); err == nil && after != before {
			err = errDefines
		}
	}
	end := "COMMIT"
	if err != nil {
		end = "ROLLBACK"
	}
	_, ended := execer.ExecContext(context.WithoutCancel(ctx), end, nil)
	return errors.Join(err, plainError(ended))
}

// oneText is the text that a query of one row and column gives.
func oneText(ctx context.Context, conn driver.Conn, query string) (string, error) {
	rows, err := conn.(driver.QueryerContext).QueryContext(ctx, query, nil)
	if err != nil {
		return "", plainError(err)
	}
	defer rows.Close()
	dest := make([]driver.Value, 1)
	if err := rows.Next(dest); err != nil && !errors.Is(err, io.EOF) {
		return "", plainError(err)
	}
	text, _ := dest[0].(string)
	return text, nil
}

package duck

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/schema"
)

// A Source is what a DB reads: a dataset, or loose files.
type Source struct {
	// Dir is the folder that holds the files; nothing outside of it is read.
	Dir string
	// Relations are the views to make, in order.
	Relations []Relation
}

// A Relation is a view over Parquet files, or over a query.
type Relation struct {
	// Name is the view's name.
	Name string
	// Doc becomes the view's comment.
	Doc string
	// Files are the Parquet files, relative to the source's folder. Without
	// files the view is that of Query.
	Files []string
	// Query defines the view where Files is empty.
	Query string
	// Columns become the columns' comments.
	Columns []schema.Column
	// Older is true where the files may lack columns that a later version added:
	// those are NULL.
	Older bool
}

// Options say how a DB behaves.
type Options struct {
	// Threads is the number of threads; 0 means 1, which keeps sums of doubles
	// the same from run to run.
	Threads int
	// MemoryLimit bounds the engine's memory, such as "1GB"; empty leaves its default.
	MemoryLimit string
	// Writable are files that an export may write, beside nothing else.
	Writable []string
	// Scratch is a file for ExportParquet, or empty.
	Scratch string
	// Comments gives views and columns their comments, for those who read the
	// catalog: several hundred statements, which no table needs.
	Comments bool
}

// A DB is an open source. Close it.
type DB struct {
	sql     *sql.DB
	scratch string
	own     []string // the names of the source's views and macros and of the functions, in small letters, quoted
}

// Open makes the views of a source and closes the door behind them.
func Open(ctx context.Context, src Source, opts Options) (*DB, error) {
	return openWith(ctx, src, opts, func(*DB) error { return nil })
}

// newDB makes the views and leaves the door open.
func newDB(ctx context.Context, src Source, opts Options) (*DB, error) {
	dir, err := filepath.Abs(src.Dir)
	if err != nil {
		return nil, err
	}
	connector, err := duckdb.NewConnector("?autoinstall_known_extensions=false&autoload_known_extensions=false", nil)
	if err != nil {
		return nil, err
	}
	db := &DB{sql: sql.OpenDB(connector), scratch: opts.Scratch}
	if err := db.prepare(ctx, dir, src.Relations, opts); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Close ends the database.
func (db *DB) Close() error { return db.sql.Close() }

func (db *DB) prepare(ctx context.Context, dir string, relations []Relation, opts Options) error {
	if err := db.exec(ctx, settings(opts)...); err != nil {
		return err
	}
	if err := db.register(ctx); err != nil {
		return err
	}
	for _, r := range relations {
		statements := r.statements(dir)
		if opts.Comments {
			statements = append(statements, r.comments()...)
		}
		if err := db.exec(ctx, statements...); err != nil {
			return fmt.Errorf("view %s: %w", r.Name, err)
		}
	}
	return nil
}

// lock ends external access; from here on only the source can be read.
func (db *DB) lock(ctx context.Context, src Source, opts Options) error {
	dir, err := filepath.Abs(src.Dir)
	if err == nil {
		err = db.exec(ctx, locks(dir, opts)...)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return nil
}

func settings(opts Options) []string {
	threads := max(opts.Threads, 1)
	list := []string{
		"SET threads=" + strconv.Itoa(threads),
		"SET TimeZone='UTC'",
		"SET preserve_insertion_order=true",
		"SET default_null_order='nulls_last'",
		"SET temp_directory=''",
	}
	if opts.MemoryLimit != "" {
		list = append(list, "SET memory_limit="+literal(opts.MemoryLimit))
	}
	return list
}

func locks(dir string, opts Options) []string {
	var list []string
	if dir != "" {
		list = append(list, "SET allowed_directories=["+literal(dir+string(filepath.Separator))+"]")
	}
	writable := opts.Writable
	if opts.Scratch != "" {
		writable = append(slices.Clone(writable), opts.Scratch)
	}
	if len(writable) > 0 {
		quoted := make([]string, len(writable))
		for i, f := range writable {
			quoted[i] = literal(f)
		}
		list = append(list, "SET allowed_paths=["+strings.Join(quoted, ", ")+"]")
	}
	return append(list, "SET enable_external_access=false", "SET lock_configuration=true")
}

// statements makes the view.
func (r Relation) statements(dir string) []string {
	query := r.Query
	if len(r.Files) > 0 {
		quoted := make([]string, len(r.Files))
		for i, f := range r.Files {
			quoted[i] = literal(filepath.Join(dir, filepath.FromSlash(f)))
		}
		query = "SELECT * FROM read_parquet([" + strings.Join(quoted, ", ") + "])"
		if r.Older {
			query += " UNION ALL BY NAME SELECT " + strings.Join(nulls(r.Columns), ", ") + " WHERE false"
		}
	}
	return []string{"CREATE VIEW " + identifier(r.Name) + " AS " + query}
}

// comments are the statements that say what the view and its columns are.
func (r Relation) comments() []string {
	var list []string
	if r.Doc != "" {
		list = append(list, "COMMENT ON VIEW "+identifier(r.Name)+" IS "+literal(r.Doc))
	}
	for _, c := range r.Columns {
		doc := c.Doc
		if c.Unit != "" {
			doc += " (" + c.Unit + ")"
		}
		if doc != "" {
			list = append(list, "COMMENT ON COLUMN "+identifier(r.Name)+"."+identifier(c.Name)+" IS "+literal(doc))
		}
	}
	return list
}

// nulls are columns of NULL.
func nulls(columns []schema.Column) []string {
	var list []string
	for _, c := range columns {
		list = append(list, "NULL::"+string(c.Type)+" AS "+identifier(c.Name))
	}
	return list
}

func (db *DB) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := db.sql.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// literal quotes a text for SQL.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// identifier quotes a name for SQL.
func identifier(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

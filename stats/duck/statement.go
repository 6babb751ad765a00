package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/duckdb/duckdb-go/v2"
)

// Statements splits SQL at the semicolons that end statements: those outside of
// quotes, comments and $tag$ texts. Empty statements are left out.
func Statements(text string) []string {
	var list []string
	begin, filled := 0, false
	for i := 0; i < len(text); {
		switch n := opaque(text[i:]); {
		case n > 0:
			filled = filled || !strings.HasPrefix(text[i:], "--") && !strings.HasPrefix(text[i:], "/*")
			i += n
		case text[i] == ';':
			if filled {
				list = append(list, text[begin:i])
			}
			i++
			begin, filled = i, false
		default:
			filled = filled || !strings.ContainsRune(" \t\r\n\f\v", rune(text[i]))
			i++
		}
	}
	if filled {
		list = append(list, text[begin:])
	}
	return list
}

var dollarTag = regexp.MustCompile(`^\$([A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)?\$`)

// opaque is the length of the quoted text or comment that s begins with, or 0.
func opaque(s string) int {
	switch {
	case s[0] == '\'' || s[0] == '"':
		// A doubled quote ends one text and begins the next, which comes to the same.
		return 1 + upTo(s[1:], s[:1])
	case strings.HasPrefix(s, "--"):
		if i := strings.IndexAny(s, "\r\n"); i >= 0 {
			return i + 1
		}
		return len(s)
	case strings.HasPrefix(s, "/*"):
		return 2 + upTo(s[2:], "*/")
	case s[0] == '$':
		if tag := dollarTag.FindString(s); tag != "" {
			return len(tag) + upTo(s[len(tag):], tag)
		}
	}
	return 0
}

// upTo is the length of s up to and with the first end, or of all of s.
func upTo(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

// reading lists the kinds of statements that touch no file: they read, or change
// what the engine holds in memory.
var reading = map[duckdb.StmtType]bool{
	duckdb.STATEMENT_TYPE_SELECT:      true,
	duckdb.STATEMENT_TYPE_CREATE:      true,
	duckdb.STATEMENT_TYPE_CREATE_FUNC: true,
	duckdb.STATEMENT_TYPE_INSERT:      true,
	duckdb.STATEMENT_TYPE_UPDATE:      true,
	duckdb.STATEMENT_TYPE_DELETE:      true,
	duckdb.STATEMENT_TYPE_DROP:        true,
	duckdb.STATEMENT_TYPE_ALTER:       true,
}

// defining are those of them that could change a view of the source.
var defining = map[duckdb.StmtType]bool{
	duckdb.STATEMENT_TYPE_CREATE: true, duckdb.STATEMENT_TYPE_CREATE_FUNC: true, duckdb.STATEMENT_TYPE_DROP: true, duckdb.STATEMENT_TYPE_ALTER: true,
}

// writingWords begin a statement that the engine is not asked for the kind of: to
// prepare an EXPORT or an ATTACH already makes files.
var writingWords = map[string]bool{
	"EXPORT": true, "IMPORT": true, "ATTACH": true, "COPY": true, "INSTALL": true, "LOAD": true, "PREPARE": true, "EXECUTE": true, "EXPLAIN": true, "RESET": true,
}

// firstWord is the word that a statement begins with, behind blanks, comments
// and brackets, in capitals.
func firstWord(s string) string {
	for s = strings.TrimLeft(s, " \t\r\n\f\v("); strings.HasPrefix(s, "--") || strings.HasPrefix(s, "/*"); {
		s = strings.TrimLeft(s[opaque(s):], " \t\r\n\f\v(")
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	return strings.ToUpper(s[:end])
}

// logging is the one function of the engine that writes files where a query calls it.
var logging = regexp.MustCompile(`(?i)enable_logging`)

// explained is what stands before the statement that EXPLAIN is asked about.
var explained = regexp.MustCompile(`(?is)^\s*EXPLAIN\s+(ANALYZE\s+|\([^)]*\)\s*)?`)

// columns are the columns of a query that is not run; a query is refused as
// prepareReading does, and so is a statement that gives no rows.
func (db *DB) columns(ctx context.Context, query string) (cols []Column, err error) {
	err = db.raw(ctx, func(conn driver.Conn) error {
		stmt, err := prepareReading(ctx, conn, query)
		if err != nil {
			return err
		}
		if typ, err := stmt.StatementType(); err == nil && typ != duckdb.STATEMENT_TYPE_SELECT {
			return errors.Join(errors.New("have a statement that gives no rows, want a query at the end"), stmt.Close())
		}
		n, err := stmt.ColumnCount()
		for i := 0; i < n && err == nil; i++ {
			var c Column
			if c.Name, err = stmt.ColumnName(i); err == nil {
				c.Type = columnType(stmt, i, "")
				cols = append(cols, c)
			}
		}
		return errors.Join(err, stmt.Close())
	})
	return cols, err
}

// raw lends a connection of the driver.
func (db *DB) raw(ctx context.Context, use func(driver.Conn) error) error {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error { return use(c.(driver.Conn)) })
}

// prepareReading prepares one statement that writes no file and refuses any other.
// The engine would let a COPY write: the dataset's folder is among those that it
// may open. An EXPLAIN ANALYZE runs its statement, and the driver runs all of
// several statements to prepare the last, so neither is asked of the engine unseen.
func prepareReading(ctx context.Context, conn driver.Conn, query string) (*duckdb.Stmt, error) {
	switch n := len(Statements(query)); n {
	case 0:
		return nil, fmt.Errorf("have an empty query, want a statement")
	case 1:
	default:
		return nil, fmt.Errorf("have %d statements, want one", n)
	}
	inner := explained.ReplaceAllString(query, "")
	if writingWords[firstWord(inner)] {
		return nil, errWrites
	}
	stmt, err := prepare(ctx, conn, inner)
	if err != nil {
		return nil, err
	}
	typ, err := stmt.StatementType()
	if err == nil && (!reading[typ] || logging.MatchString(query)) {
		err = errWrites
	}
	if err == nil && inner == query {
		return stmt, nil
	}
	if err = errors.Join(err, stmt.Close()); err != nil {
		return nil, err
	}
	return prepare(ctx, conn, query)
}

var errWrites = errors.New("have a statement that writes files or changes settings, want one that reads; use --format and -o to export")

// prepare prepares a single statement. To prepare a table function computes it, so
// it is done once: only where Statements may have counted otherwise than the
// engine does, with escapes, tags or comments inside of comments, the driver's
// Prepare is asked first, which refuses several statements but cannot be cancelled.
func prepare(ctx context.Context, conn driver.Conn, query string) (*duckdb.Stmt, error) {
	if strings.ContainsAny(query, `\$`) || strings.Contains(query, "/*") {
		stmt, err := conn.Prepare(query)
		if err != nil {
			return nil, plainError(err)
		}
		if err := stmt.Close(); err != nil {
			return nil, err
		}
	}
	stmt, err := conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	if err != nil {
		return nil, plainError(err)
	}
	return stmt.(*duckdb.Stmt), nil
}

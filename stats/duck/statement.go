package duck

import (
	"context"
	"database/sql/driver"
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
		return upTo(s, "\n")
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
	duckdb.STATEMENT_TYPE_PRAGMA:      true,
}

// writingWords begin a statement that the engine is not asked for the kind of: to
// prepare an EXPORT or an ATTACH already makes files.
var writingWords = map[string]bool{
	"EXPORT": true, "IMPORT": true, "ATTACH": true, "COPY": true, "INSTALL": true, "LOAD": true, "PREPARE": true, "EXECUTE": true, "EXPLAIN": true,
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

// check refuses anything but one statement that writes no file. The engine would
// let a COPY write: the dataset's folder is among those that it may open. An
// EXPLAIN ANALYZE runs its statement, and the driver runs all of several
// statements to prepare the last, so neither is asked of the engine unseen.
func (db *DB) check(ctx context.Context, query string) error {
	switch n := len(Statements(query)); n {
	case 0:
		return fmt.Errorf("have an empty query, want a statement")
	case 1:
	default:
		return fmt.Errorf("have %d statements, want one", n)
	}
	query = explained.ReplaceAllString(query, "")
	if !writingWords[firstWord(query)] {
		typ, err := db.statementType(ctx, query)
		if err != nil {
			return err
		}
		if reading[typ] && !logging.MatchString(query) {
			return nil
		}
	}
	return fmt.Errorf("have a statement that writes files or changes settings, want one that reads; use --format and -o to export")
}

// statementType asks the engine for the kind of a single statement.
func (db *DB) statementType(ctx context.Context, query string) (typ duckdb.StmtType, err error) {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return typ, err
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		// Prepare, unlike PrepareContext, refuses several statements.
		stmt, err := c.(driver.Conn).Prepare(query)
		if err != nil {
			return plainError(err)
		}
		defer stmt.Close()
		typ, err = stmt.(*duckdb.Stmt).StatementType()
		return err
	})
	return typ, err
}

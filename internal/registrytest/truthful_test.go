package registrytest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// TestEntriesAreNamedAndDescribed: within a list every name stands once and says
// what it means.
func TestEntriesAreNamedAndDescribed(t *testing.T) {
	seen := map[string]bool{}
	entry := func(list, name, text string) {
		t.Helper()
		if seen[list+" "+name] {
			t.Errorf("%s: have %q twice, want each name once", list, name)
		}
		seen[list+" "+name] = true
		if name == "" || strings.TrimSpace(text) == "" {
			t.Errorf("%s: %q: have no name or no text, want both", list, name)
		}
	}
	for _, m := range schema.Metrics {
		level := string(m.Level) + " metrics"
		entry(level, m.Name, m.Definition)
		entry(level+": denominators", m.Name, m.Denominator)
		entry(level+": missing", m.Name, m.Missing)
		entry(level+": misleads", m.Name, m.Misleads)
		entry(level+": headings", m.Name, m.Heading)
		entry(level+": groups", m.Name, m.Group)
	}
	for _, c := range append(append([]*schema.FindingCode{}, schema.FindingCodes...), schema.ExclusionReasons...) {
		entry("findings", c.Name, c.Doc)
	}
	for _, r := range schema.MissingReasons {
		entry("missing reasons", r.Name, r.Doc)
	}
	for _, e := range schema.EventTypes {
		entry("events", e.Name, e.Doc)
		entry("events: since", e.Name, e.Since)
	}
	for _, d := range schema.Documents {
		entry("documents", d.Name, d.Doc)
	}
	for _, s := range append(slices.Clone(schema.Sets), schema.DerivedSets...) {
		entry("sets", s.Name, s.Doc)
		for _, w := range s.Words {
			entry("words of "+s.Name, w.Name, w.Doc)
		}
	}
	for _, table := range schema.Tables {
		entry("views", table.Name, table.Doc)
		for _, c := range table.Columns() {
			entry("columns of "+table.Name, c.Name, c.Doc)
		}
	}
	for _, f := range duck.Functions {
		entry("functions", f.Name, f.Doc)
		entry("functions: examples", f.Name, f.Example)
		entry("functions: returns", f.Name, f.Returns)
	}
	for _, i := range importer.Importers {
		entry("importers", i.Name, i.Doc)
		entry("importers: cannot", i.Name, strings.Join(i.Cannot, " "))
	}
	for _, c := range tables.Checks() {
		entry("checks", c.Name, c.Doc)
	}
	for _, s := range tables.Shipped() {
		entry("paper tables", s.Name, s.Title+s.Caption)
		for _, c := range s.Columns {
			entry("columns of "+s.Name, c.Key, string(c.Kind))
		}
	}
}

// TestFilesOfTablesAndChecks: every file beside the shipped tables and checks
// belongs to one that is listed, and none of a table's three is missing. Make draws
// each from its query, so a column that a specification draws and its query lacks
// fails in package tables.
func TestFilesOfTablesAndChecks(t *testing.T) {
	want := map[string]bool{}
	for _, s := range tables.Shipped() {
		for _, ending := range []string{".sql", ".json", ".runs.sql"} {
			want[filepath.Join("paper", s.Name+ending)] = true
		}
		if order := strings.LastIndex(s.SQL, "ORDER BY"); order < 0 || strings.Contains(s.SQL[order:], ")\n)") {
			t.Errorf("%s: have a query without ORDER BY at its end, want a total one", s.Name)
		}
		if s.RunsSQL == "" || len(s.Key) == 0 {
			t.Errorf("%s: have no query of runs or no key, want both: its cells cannot be opened", s.Name)
		}
	}
	for _, c := range tables.Checks() {
		want[filepath.Join("audit", c.Name+".sql")] = true
	}
	for _, folder := range []string{"paper", "audit"} {
		entries, err := os.ReadDir(filepath.Join("..", "..", "tables", folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			if !want[name] {
				t.Errorf("tables/%s belongs to nothing that is listed", name)
			}
			delete(want, name)
		}
	}
	for name := range want {
		t.Errorf("have no tables/%s, want it", name)
	}
}

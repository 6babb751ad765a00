package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allColumns are the columns of a table that do not depend on the data.
func allColumns(t *Table) []Column {
	list := t.Columns()
	if t.Values != "" {
		for _, c := range ValueColumns(t.Values) {
			list = append(list, c.Column)
		}
	}
	return list
}

func TestColumnsAreDescribedOnceAndNeedNoQuotes(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	// The reserved words of DuckDB 1.5.6, from duckdb_keywords(), which need quotes.
	reserved := map[string]bool{}
	for _, word := range strings.Fields(`all analyse analyze and any array as asc asymmetric both case cast check collate
		column constraint create default deferrable desc describe distinct do else end except false fetch for foreign from
		group having in initially intersect into lambda lateral leading limit not null offset on only or order pivot
		pivot_longer pivot_wider placing primary qualify references returning select show some summarize symmetric table
		then to trailing true union unique unpivot using variadic when where window with`) {
		reserved[word] = true
	}
	for _, table := range Tables {
		seen := map[string]bool{}
		for _, c := range allColumns(table) {
			if seen[c.Name] {
				t.Errorf("%s: the column %s stands twice", table.Name, c.Name)
			}
			seen[c.Name] = true
			if !plain.MatchString(c.Name) || reserved[c.Name] {
				t.Errorf("%s: the column %s needs quotes", table.Name, c.Name)
			}
			if c.Doc == "" {
				t.Errorf("%s: the column %s has no text", table.Name, c.Name)
			}
		}
		for _, key := range table.Key {
			if !seen[key] {
				t.Errorf("%s: the key %s is no column", table.Name, key)
			}
		}
	}
}

func TestMetricsAreWhollyDescribed(t *testing.T) {
	reads := map[string]bool{ReadsActivity: true, PatchFile: true}
	for _, e := range EventTypes {
		reads[e.Name] = true
	}
	for _, d := range Documents {
		reads[d.Name] = true
	}
	for _, m := range Metrics {
		for what, text := range map[string]string{"heading": m.Heading, "group": m.Group, "kind": string(m.Kind),
			"type": string(m.Type), "direction": string(m.Direction), "level": string(m.Level), "definition": m.Definition,
			"denominator": m.Denominator, "missing": m.Missing, "misleads": m.Misleads} {
			if text == "" {
				t.Errorf("%s %s: no %s", m.Level, m.Name, what)
			}
		}
		if len(m.Reads) == 0 {
			t.Errorf("%s %s: reads nothing", m.Level, m.Name)
		}
		for _, r := range m.Reads {
			if !reads[r] {
				t.Errorf("%s %s: reads %q, which is no event type or document", m.Level, m.Name, r)
			}
		}
		if m.Kind == KindRate && m.Type != TypeInteger {
			t.Errorf("%s %s: a rate of type %s, want %s", m.Level, m.Name, m.Type, TypeInteger)
		}
		if found, ok := MetricByName(m.Level, m.Name); !ok || found != m {
			t.Errorf("%s %s: the name is not unique", m.Level, m.Name)
		}
	}
}

// TestListsAreComplete reads the sources: what is declared is listed.
func TestListsAreComplete(t *testing.T) {
	listed := map[string]int{"Metric": len(Metrics), "Table": len(Tables), "MissingReason": len(MissingReasons)}
	declared := map[string]int{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		results := resultTypes(file)
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for _, v := range s.(*ast.ValueSpec).Values {
					declared[typeOf(v, results)]++
				}
			}
		}
	}
	for typ, n := range listed {
		if declared[typ] != n {
			t.Errorf("%d variables of type %s are declared, %d are listed", declared[typ], typ, n)
		}
	}
}

// resultTypes maps the functions of a file to the type that they return.
func resultTypes(file *ast.File) map[string]string {
	out := map[string]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Type.Results != nil {
			if id, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok {
				out[f.Name.Name] = id.Name
			}
		}
	}
	// Defined in metric_localization.go, called in metric_query.go too.
	for _, name := range []string{"fileRecall", "functionRecall", "hit", "mrr", "ndcg", "listed"} {
		out[name] = "Metric"
	}
	return out
}

func typeOf(e ast.Expr, results map[string]string) string {
	switch e := e.(type) {
	case *ast.CompositeLit:
		if id, ok := e.Type.(*ast.Ident); ok {
			return id.Name
		}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok {
			return results[id.Name]
		}
	}
	return ""
}

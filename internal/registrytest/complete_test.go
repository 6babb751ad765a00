package registrytest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A registry is a list of a package and what must stand in it.
type registry struct {
	// dir is the package's folder below the module's root.
	dir string
	// lists are the variables that hold the list; a value stands in one of them.
	lists []string
	// of is the type of the values, or for functions their result.
	of string
	// functions is true where the values are functions.
	functions bool
}

var registries = []registry{
	{dir: "schema", lists: []string{"Metrics"}, of: "Metric"},
	{dir: "schema", lists: []string{"FindingCodes", "ExclusionReasons"}, of: "FindingCode"},
	{dir: "schema", lists: []string{"MissingReasons"}, of: "MissingReason"},
	{dir: "schema", lists: []string{"EventTypes"}, of: "EventType"},
	{dir: "schema", lists: []string{"Documents"}, of: "Document"},
	{dir: "schema", lists: []string{"Tables"}, of: "Table"},
	{dir: "schema", lists: []string{"Sets", "DerivedSets"}, of: "Word"},
	{dir: "stats/duck", lists: []string{"Functions"}, of: "Function"},
	{dir: "tables", lists: []string{"Formats"}, of: "Format"},
	{dir: "ingest/importer", lists: []string{"Importers"}, of: "Importer"},
	{dir: "cmd/assay", lists: []string{"exitCodes"}, of: "exitCode"},
	{dir: "cmd/assay", lists: []string{"commands", "evaluators"}, of: "Command", functions: true},
}

// TestListsAreComplete: every declared value of a list's type is in the list, once.
func TestListsAreComplete(t *testing.T) {
	for _, r := range registries {
		p := parsePackage(t, filepath.Join("..", "..", r.dir))
		declared := p.variables(r.of)
		if r.functions {
			declared = p.subcommands(r.of)
		}
		if len(declared) == 0 {
			t.Errorf("%s: have no value of type %s, want some: has the type another name?", r.dir, r.of)
		}
		listed := map[string]int{}
		for _, list := range r.lists {
			for _, name := range p.namesIn(t, list) {
				listed[name]++
			}
		}
		for _, name := range declared {
			if listed[name] != 1 {
				t.Errorf("%s: %s stands %d times in %s, want once", r.dir, name, listed[name], strings.Join(r.lists, " and "))
			}
		}
	}
}

// A source is the parsed package.
type source struct {
	vars  map[string]ast.Expr
	funcs map[string]*ast.FuncDecl
}

func parsePackage(t *testing.T, dir string) source {
	t.Helper()
	s := source{vars: map[string]ast.Expr{}, funcs: map[string]*ast.FuncDecl{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	isSource := func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
	}
	files := token.NewFileSet()
	for _, e := range entries {
		if !isSource(e) {
			continue
		}
		f, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			s.add(d)
		}
	}
	return s
}

func (s source) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.funcs[d.Name.Name] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Values) != len(v.Names) {
				continue
			}
			for i, name := range v.Names {
				s.vars[name.Name] = v.Values[i]
			}
		}
	}
}

// variables are the package's variables of a type: a literal of it, or what a
// function of the package returns.
func (s source) variables(of string) []string {
	var names []string
	for name, value := range s.vars {
		if s.typeOf(value) == of {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s source) typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return typeName(e.Type)
	case *ast.UnaryExpr:
		return s.typeOf(e.X)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && s.funcs[f.Name] != nil && s.funcs[f.Name].Type.Results != nil {
			return typeName(s.funcs[f.Name].Type.Results.List[0].Type)
		}
	}
	return ""
}

// typeName is the name of a type without package and pointer; empty for others.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// subcommands are the functions of the application that make a command and that
// no other function names: a command below another one is named by it.
func (s source) subcommands(of string) []string {
	named := map[string]bool{}
	for _, f := range s.funcs {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				named[id.Name] = true
			}
			return true
		})
	}
	var names []string
	for name, f := range s.funcs {
		if f.Type.Results != nil && typeName(f.Type.Results.List[0].Type) == of && len(f.Type.Params.List) == 1 && !named[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// namesIn are all names in the value of a list.
func (s source) namesIn(t *testing.T, list string) []string {
	t.Helper()
	value, ok := s.vars[list]
	if !ok {
		t.Fatalf("have no list %s", list)
	}
	var names []string
	ast.Inspect(value, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

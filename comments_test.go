package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestComments: every exported identifier and field has a comment, every package
// says what it is for, and no file holds an init function.
func TestComments(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || path != "." && strings.ContainsAny(d.Name()[:1], "._")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || file.Doc != nil
		c := &commentCheck{t, set}
		for _, decl := range file.Decls {
			c.decl(decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s: have no package comment, want one", dir)
		}
	}
}

type commentCheck struct {
	t   *testing.T
	set *token.FileSet
}

func (c *commentCheck) want(pos token.Pos, name string, docs ...*ast.CommentGroup) {
	if !ast.IsExported(name) {
		return
	}
	for _, d := range docs {
		if d != nil {
			return
		}
	}
	c.t.Errorf("%s: %s has no comment", c.set.Position(pos), name)
}

func (c *commentCheck) decl(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name == "init" {
			c.t.Errorf("%s: have an init function, want none", c.set.Position(d.Pos()))
		}
		if name := d.Name.Name; name != "Error" && name != "Unwrap" && name != "Write" { // what they do is their interface's contract
			c.want(d.Pos(), name, d.Doc)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			c.spec(d, s)
		}
	}
}

func (c *commentCheck) spec(d *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		c.want(s.Pos(), s.Name.Name, s.Doc, d.Doc)
		if st, ok := s.Type.(*ast.StructType); ok && ast.IsExported(s.Name.Name) {
			c.fields(st.Fields.List)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			c.want(n.Pos(), n.Name, s.Doc, s.Comment, d.Doc)
		}
	}
}

// fields: a comment above fields on lines that follow each other stands for all
// of them.
func (c *commentCheck) fields(list []*ast.Field) {
	var above *ast.CommentGroup
	last := 0
	for _, f := range list {
		if c.set.Position(f.Pos()).Line != last+1 || f.Doc != nil {
			above = f.Doc
		}
		last = c.set.Position(f.End()).Line
		for _, n := range f.Names {
			c.want(f.Pos(), n.Name, above, f.Comment)
		}
	}
}

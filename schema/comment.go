package schema

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"sync"
)

// The comments of the payload structs are the published text, so the sources
// that declare them travel inside the program.
//
//go:embed event_*.go document_*.go table_*.go
var sources embed.FS

// comments maps "Type.Field" and "Type" to the comment above it.
var comments = sync.OnceValue(func() map[string]string { return readComments(sources) })

func comment(typeName, field string) string {
	text := comments()[typeName+"."+field]
	// "CallID names the call" is Go's style; the published text starts at the verb.
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(text, field+verb); ok {
			return rest
		}
	}
	if rest, ok := strings.CutPrefix(text, field+" "); ok {
		return rest
	}
	return text
}

func readComments(files fs.FS) map[string]string {
	out := map[string]string{}
	names, err := fs.Glob(files, "*.go")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		if err != nil {
			panic("schema: " + err.Error())
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				typeComments(out, g)
			}
		}
	}
	return out
}

func typeComments(out map[string]string, g *ast.GenDecl) {
	for _, s := range g.Specs {
		spec := s.(*ast.TypeSpec)
		out[spec.Name.Name] = oneLine(g.Doc.Text())
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range st.Fields.List {
			for _, n := range f.Names {
				out[spec.Name.Name+"."+n.Name] = oneLine(f.Doc.Text())
			}
		}
	}
}

func oneLine(s string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".")
}

// Package symbols reads the definitions of a source file: functions, types and named values with the lines they
// stand on, by tree-sitter, for Go, Python, JavaScript, TypeScript, Java, Rust, C and C++.
//
// It decides what counts as a function in each language (queries.go). A file of another language, or one too
// large to be written by hand, is not read at all, and where the parser was lost is said: nothing is guessed.
package symbols

import (
	"cmp"
	"path"
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// MaxBytes is the size above which a file is not read: such files are generated, and a parser has no time limit.
const MaxBytes = 1 << 20

// Kind is what a definition defines.
type Kind string

// The kinds of definitions.
const (
	// Function is a function, method, constructor or function-like macro.
	Function Kind = "function"
	// Type is a class, structure, interface, enumeration, alias or trait.
	Type Kind = "type"
	// Value is a named value at the top of a file.
	Value Kind = "value"
	// Scope only lends its name to what it holds: a namespace, a module, an implementation block.
	Scope Kind = "scope"
)

// Definition is one named thing of a file.
type Definition struct {
	// Name has the names of what encloses it before it, joined by dots.
	Name string
	// Kind is what it defines.
	Kind Kind
	// StartLine and EndLine are its first and last line, from 1, decorators included.
	StartLine, EndLine int
}

// Span is a range of lines, from 1, both ends included.
type Span struct {
	// Start and End are the first and the last line.
	Start, End int
}

// Outline is what a parser read in one file.
type Outline struct {
	// Definitions is in the order of the file; of two that begin together the wider stands first.
	Definitions []Definition
	// Lost is where the parser did not understand the text: definitions there may be missing.
	Lost []Span
}

// Readable says whether a path is of a language that is read, by its extension.
func Readable(file string) bool {
	_, ok := byExtension(file)
	return ok
}

func byExtension(file string) (language, bool) {
	extension := strings.ToLower(path.Ext(file))
	for _, l := range languages {
		if slices.Contains(l.extensions, extension) {
			return l, true
		}
	}
	return language{}, false
}

// LanguageOf names the language of a path as it is read here.
func LanguageOf(file string) (string, bool) {
	l, ok := byExtension(file)
	return l.name, ok
}

// Reader reads files. It holds a parser a language, so it is for one goroutine at a time; Close frees them.
type Reader struct {
	parsers map[string]*parser
}

// parser is one language's parser with its compiled query.
type parser struct {
	parser *sitter.Parser
	query  *sitter.Query
	cursor *sitter.QueryCursor
	names  []string
}

// NewReader makes a reader with no parser loaded yet.
func NewReader() *Reader { return &Reader{parsers: map[string]*parser{}} }

// Close frees the parsers.
func (r *Reader) Close() {
	for _, p := range r.parsers {
		p.cursor.Close()
		p.query.Close()
		p.parser.Close()
	}
}

// load makes the parser of a language at its first file. A grammar that does not fit is a bad program.
func (r *Reader) load(l language) *parser {
	if p, ok := r.parsers[l.name]; ok {
		return p
	}
	grammar := sitter.NewLanguage(l.grammar())
	p := &parser{parser: sitter.NewParser(), cursor: sitter.NewQueryCursor()}
	if err := p.parser.SetLanguage(grammar); err != nil {
		panic("symbols: " + l.name + ": " + err.Error())
	}
	query, err := sitter.NewQuery(grammar, l.query+"\n(ERROR) @lost")
	if err != nil {
		panic("symbols: " + l.name + ": " + err.Error())
	}
	p.query, p.names = query, query.CaptureNames()
	r.parsers[l.name] = p
	return p
}

// Read returns the outline of a file; false where its language is not read or it is too large.
func (r *Reader) Read(file string, source []byte) (Outline, bool) {
	l, ok := byExtension(file)
	if !ok || len(source) > MaxBytes {
		return Outline{}, false
	}
	p := r.load(l)
	tree := p.parser.Parse(source, nil)
	if tree == nil {
		return Outline{}, false
	}
	defer tree.Close()
	return p.outline(tree.RootNode(), source), true
}

// found is a definition with the bytes that order and enclose it.
type found struct {
	Definition
	start, end, name uint
}

// outline runs the query over a parsed file.
func (p *parser) outline(root *sitter.Node, source []byte) Outline {
	var out Outline
	var all []found
	matches := p.cursor.Matches(p.query, root, source)
	for match := matches.Next(); match != nil; match = matches.Next() {
		f, ok, receiver := found{}, false, ""
		for _, capture := range match.Captures {
			node := capture.Node
			switch name := p.names[capture.Index]; name {
			case "lost":
				out.Lost = append(out.Lost, Span{int(node.StartPosition().Row) + 1, lastLine(&node)})
			case "name":
				f.Name, f.name = strings.Join(strings.Fields(node.Utf8Text(source)), " "), node.StartByte()
			case "receiver":
				receiver = receiverType(node.Utf8Text(source)) + "."
			default:
				ok = true
				f.Kind = Kind(name)
				f.start, f.end = node.ByteRange()
				f.StartLine, f.EndLine = int(node.StartPosition().Row)+1, lastLine(&node)
				if declared := declarator(&node); declared != nil {
					f.Name, f.name = strings.ReplaceAll(declared.Utf8Text(source), "::", "."), declared.StartByte()
				}
			}
		}
		if ok && f.Name != "" {
			f.Name = receiver + f.Name
			all = append(all, f)
		}
	}
	out.Definitions = qualify(all)
	return out
}

// lastLine is the last line of a node, from 1; a node that ends with a line feed does not reach the next line.
func lastLine(node *sitter.Node) int {
	end := node.EndPosition()
	if end.Column == 0 && end.Row > node.StartPosition().Row {
		return int(end.Row)
	}
	return int(end.Row) + 1
}

// declarator is the name inside the declarators of a function of C or C++, which wrap it in pointers and
// parameter lists; nil for every other node.
func declarator(node *sitter.Node) *sitter.Node {
	if node.Kind() != "function_definition" {
		return nil
	}
	next := node.ChildByFieldName("declarator")
	for next != nil {
		inner := next.ChildByFieldName("declarator")
		if inner == nil {
			switch next.Kind() {
			case "identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name", "operator_cast":
				return next
			}
			// a reference or parenthesised declarator holds the next one without a field name
			if next.NamedChildCount() == 0 {
				return nil
			}
			inner = next.NamedChild(next.NamedChildCount() - 1)
		}
		next = inner
	}
	return nil
}

// receiverType is the type name in a Go receiver such as "(s *Set[K])".
func receiverType(receiver string) string {
	fields := strings.Fields(strings.Trim(receiver, "()"))
	if len(fields) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(fields[len(fields)-1], "[")
	if len(fields) > 1 && strings.Contains(fields[1], "[") {
		name, _, _ = strings.Cut(fields[1], "[")
	}
	return strings.TrimLeft(name, "*")
}

// qualify sorts definitions, keeps the widest of those that share a name, and prefixes the names of what encloses them.
func qualify(all []found) []Definition {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.name, b.name), cmp.Compare(kindOrder(a.Kind), kindOrder(b.Kind)))
	})
	var out []Definition
	var open []found
	named := map[uint]bool{}
	for _, f := range all {
		if named[f.name] {
			continue
		}
		named[f.name] = true
		for len(open) > 0 && open[len(open)-1].end < f.end {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].end >= f.end {
			f.Name = open[len(open)-1].Name + "." + f.Name
		}
		open = append(open, f)
		if f.Kind != Scope {
			out = append(out, f.Definition)
		}
	}
	return out
}

// kindOrder prefers, of two readings of one name, the more telling one.
func kindOrder(k Kind) int { return slices.Index([]Kind{Function, Type, Scope, Value}, k) }

// Innermost is the smallest function that holds both lines; false where none does.
func (o Outline) Innermost(first, last int) (Definition, bool) {
	best, ok := Definition{}, false
	for _, d := range o.Definitions {
		if d.Kind != Function || first < d.StartLine || last > d.EndLine {
			continue
		}
		if !ok || d.EndLine-d.StartLine <= best.EndLine-best.StartLine {
			best, ok = d, true
		}
	}
	return best, ok
}

package githistory

import (
	"iter"

	"github.com/assay-bench/assay/eval/symbols"
)

// definitions are what one file defines, in a quarter of the memory of its outline: a repository has millions.
type definitions struct {
	names string // one behind the other
	spans []definitionSpan
}

// definitionSpan is where a name ends in names, and the lines of what it names.
type definitionSpan struct {
	end                 uint32
	firstLine, lastLine uint32
}

func compact(outline symbols.Outline) definitions {
	size := 0
	for _, d := range outline.Definitions {
		size += len(d.Name)
	}
	names := make([]byte, 0, size)
	out := definitions{spans: make([]definitionSpan, len(outline.Definitions))}
	for i, d := range outline.Definitions {
		names = append(names, d.Name...)
		out.spans[i] = definitionSpan{uint32(len(names)), uint32(d.StartLine), uint32(d.EndLine)}
	}
	out.names = string(names)
	return out
}

// all gives the names and their lines in the order of the file.
func (d definitions) all() iter.Seq2[string, definitionSpan] {
	return func(yield func(string, definitionSpan) bool) {
		start := uint32(0)
		for _, s := range d.spans {
			if !yield(d.names[start:s.end], s) {
				return
			}
			start = s.end
		}
	}
}

package tables

// A File is a rendered table under its name.
type File struct {
	// Name is the file's name without a folder.
	Name string
	// Bytes are its content.
	Bytes []byte
}

// A Format is a form a grid can take.
type Format struct {
	// Name is what --format takes.
	Name string
	// Says is one line for the help.
	Says string
	// Files renders a valid grid; the first file is the one for standard output.
	Files func(Grid) []File
}

// The formats.
var (
	FormatMarkdown = Format{"markdown", "GitHub table with its notes", single(".md", Markdown)}
	FormatLaTeX    = Format{"latex", "tabular alone (N.tex) and float (N.float.tex), booktabs only", latexFiles}
	FormatCSV      = Format{"csv", "every value unrounded, a column for every part of a cell", single(".csv", CSV)}
	FormatJSON     = Format{"json", "every value unrounded, with states and reasons", single(".json", JSON)}
	FormatHTML     = Format{"html", "page whose cells carry their row and column", single(".html", HTMLPage)}
	FormatBox      = Format{"box", "for reading in a terminal", single(".txt", plainText)}
)

// Formats lists every format.
var Formats = []Format{FormatMarkdown, FormatLaTeX, FormatCSV, FormatJSON, FormatHTML, FormatBox}

// single is a format of one file.
func single(extension string, render func(Grid) []byte) func(Grid) []File {
	return func(g Grid) []File { return []File{{g.Stem() + extension, render(g)}} }
}

// latexFiles are the tabular and the float, for a column of the article class.
func latexFiles(g Grid) []File {
	return []File{
		{g.Stem() + ".tex", LaTeX(g, ArticlePage)},
		{g.Stem() + ".float.tex", LaTeXFloat(g, ArticlePage)},
	}
}

// plainText is the text of a table without a terminal.
func plainText(g Grid) []byte { return Screen(g, Terminal{}) }

package tables

import "html"

// HTMLPage is the fragment of HTML as a page of its own, to be opened as a file: it
// says its encoding, and its style sets the table as LaTeX does, with rules above
// and below, numbers to the right and what qualifies a value below it.
func HTMLPage(g Grid) []byte {
	return []byte("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" + html.EscapeString(visible(g.Head())) + "</title>\n" +
		htmlStyle + string(HTML(g)) + "</html>\n")
}

const htmlStyle = `<style>
body { margin: 2em; font: 15px/1.4 Georgia, "Times New Roman", serif; color: #111; background: #fff; }
figure { margin: 0; overflow-x: auto; }
table { border-collapse: collapse; border-top: 2px solid #111; border-bottom: 2px solid #111; font-variant-numeric: tabular-nums lining-nums; }
caption { text-align: left; padding-bottom: .5em; max-width: 60em; }
th, td { padding: .15em .6em; vertical-align: top; font-weight: normal; white-space: nowrap; }
thead th { vertical-align: bottom; white-space: normal; font-weight: bold; }
thead th[scope=colgroup] { border-bottom: 1px solid #111; text-align: center; }
thead tr:last-child > * { border-bottom: 1px solid #111; }
tr.rule > * { border-top: 1px solid #111; }
.left { text-align: left; } .right { text-align: right; } .center { text-align: center; }
td small { display: block; font-size: .85em; color: #444; }
td:not([data-state=value]) { color: #777; }
figcaption { max-width: 60em; font-size: .85em; margin-top: .6em; }
figcaption p { margin: .25em 0; }
</style>
`

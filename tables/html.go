package tables

import (
	"bytes"
	"html/template"
	"slices"
)

// HTML writes a grid as a fragment: one figure with a table that has scopes, a
// caption and its notes. It holds no script and no style. Every cell has its
// address, so that a page can open it:
//
//	<tr data-row=KEY> <td data-col=KEY data-state=STATE title=WHY> VALUE <small>DETAIL</small>
func HTML(g Grid) []byte {
	page := htmlTable{ID: "table-" + latexLabel(g.Stem()), Stem: g.Stem(), Head: visible(g.Head()), Caption: visible(g.Caption),
		Empty: visible(g.emptySentence()), Lineage: visible(g.Lineage), Width: len(g.Columns)}
	for _, note := range g.notes() {
		page.Notes = append(page.Notes, visible(note))
	}
	all := make([]int, len(g.Columns))
	for i := range all {
		all[i] = i
	}
	for _, s := range spans(g.Columns, all) {
		page.Groups = append(page.Groups, htmlGroup{visible(s.group), s.last - s.first + 1})
	}
	for _, c := range g.Columns {
		page.Columns = append(page.Columns, htmlCell{Column: c.Key, Align: c.align(), Lines: htmlLines(c.Head())})
	}
	for _, r := range g.Rows {
		row := htmlRow{Key: r.Key, Rule: r.Rule}
		for i, c := range r.Cells {
			p := g.printCell(r, i, minusSign)
			row.Cells = append(row.Cells, htmlCell{g.Columns[i].Key, c.State, visible(c.Why), g.Columns[i].align(),
				g.Columns[i].Stub, htmlLines(p.main), visible(p.detail)})
		}
		page.Rows = append(page.Rows, row)
	}
	var out bytes.Buffer
	if err := htmlTemplate().Execute(&out, page); err != nil {
		panic("tables: html into memory: " + err.Error())
	}
	return out.Bytes()
}

// htmlLines are the lines of a text, none if it is empty.
func htmlLines(text string) []string {
	return slices.DeleteFunc(lines(visible(text)), func(line string) bool { return text == "" })
}

type htmlTable struct {
	ID, Stem, Head, Caption, Empty, Lineage string
	Width                                   int
	Groups                                  []htmlGroup
	Columns                                 []htmlCell
	Rows                                    []htmlRow
	Notes                                   []string
}

type htmlGroup struct {
	Heading string
	Width   int
}

type htmlRow struct {
	Key   string
	Rule  bool
	Cells []htmlCell
}

type htmlCell struct {
	Column string
	State  State
	Why    string
	Align  Align
	Stub   bool
	Lines  []string
	Detail string
}

// htmlTemplate is the fragment; html/template escapes by context.
func htmlTemplate() *template.Template {
	return template.Must(template.New("table").Parse(`<figure class="table" id="{{.ID}}">
<table data-table="{{.Stem}}">
<caption><strong>{{.Head}}.</strong>{{with .Caption}} {{.}}{{end}}</caption>
<thead>
{{- if .Groups}}
<tr>{{range .Groups}}{{if .Heading}}<th colspan="{{.Width}}" scope="colgroup">{{.Heading}}</th>{{else}}<td></td>{{end}}{{end}}</tr>
{{- end}}
<tr>{{range .Columns}}<th scope="col" data-col="{{.Column}}" class="{{.Align}}">{{template "lines" .Lines}}</th>{{end}}</tr>
</thead>
<tbody>
{{- range .Rows}}
<tr data-row="{{.Key}}"{{if .Rule}} class="rule"{{end}}>
{{- range .Cells}}
{{- if .Stub}}<th scope="row" data-col="{{.Column}}" class="{{.Align}}">{{template "lines" .Lines}}</th>
{{- else}}<td data-col="{{.Column}}" data-state="{{.State}}" class="{{.Align}}"{{with .Why}} title="{{.}}"{{end}}>{{template "lines" .Lines}}{{with .Detail}} <small>{{.}}</small>{{end}}</td>
{{- end}}
{{- end}}</tr>
{{- else}}
<tr><td colspan="{{.Width}}">{{.Empty}}</td></tr>
{{- end}}
</tbody>
</table>
{{- if or .Notes .Lineage}}
<figcaption>
{{- range .Notes}}
<p>{{.}}</p>
{{- end}}
{{- with .Lineage}}
<p class="lineage">{{.}}</p>
{{- end}}
</figcaption>
{{- end}}
</figure>
{{define "lines"}}{{range $i, $line := .}}{{if $i}}<br>{{end}}{{$line}}{{end}}{{end}}`))
}

package derive

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// counted is a fault that is reported once a run, with its number and first place.
type counted struct {
	n    int64
	line int64
	have string
}

func (c *counted) add(line int64, have string) {
	if c.n == 0 {
		c.line, c.have = line, have
	}
	c.n++
}

// find adds a finding in the trajectory; line 0 means the whole file.
func (r *Run) find(code *schema.FindingCode, line int64, pointer, have, want string) {
	r.findIn("", code, line, pointer, have, want)
}

// findIn adds a finding in a file; "" stands for the trajectory, whose name is
// known at the end.
func (r *Run) findIn(file string, code *schema.FindingCode, line int64, pointer, have, want string) {
	r.rows.Findings = append(r.rows.Findings, schema.Finding{
		Code: code, Severity: code.Severity, File: file, Line: line, Pointer: pointer, Have: have, Want: want,
	})
}

// count reports what was counted over the run.
func (r *Run) count() {
	report := func(code *schema.FindingCode, c counted, what, want string) {
		if c.n == 0 {
			return
		}
		have := strconv.FormatInt(c.n, 10) + " " + what
		if c.have != "" {
			have += ", the first " + strconv.Quote(shorten(c.have))
		}
		r.find(code, c.line, "", have, want)
	}
	report(&schema.DuplicateGold, counted{n: r.gold.duplicates, line: r.start.line}, "repeated", "each file, document and function of the answer once")
	report(&schema.DuplicateCandidate, r.duplicates(), "repeated", "each file or document once in the answer to a query")
	report(&schema.MetricMismatch, r.overfull, "with more passed than there are", "at most as many passed as there are")
	report(&schema.UnknownPath, r.unknown, "of such paths", "paths relative to the root of the repository")
	r.stepsBack()
	report(&schema.RankDisagreement, r.work.disagree, "at another place by rank", "the order of the scores")
}

// duplicates counts the candidates that repeat one of their own query.
func (r *Run) duplicates() (c counted) {
	for i := range r.rows.Queries {
		c.n += r.rows.Queries[i].Duplicates
	}
	if c.n == 0 {
		return c
	}
	for i := range r.rows.Candidates {
		if row := &r.rows.Candidates[i]; !row.ListRank.Has() {
			c.line, c.have = row.Line, row.File.Or(row.DocID.Or(""))
			break
		}
	}
	return c
}

// shorten cuts text that a finding shows.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}

// sortFindings names file and run in every finding and sorts them by place.
func (r *Run) sortFindings() {
	list := r.rows.Findings
	r.nameFile(list[r.readFindings:])
	for i := range list {
		list[i].RunPath, list[i].RunID = r.in.RawPath, r.in.Manifest.RunID
	}
	slices.SortStableFunc(list, compareFindings)
}

// nameFile names the trajectory in the findings of find.
func (r *Run) nameFile(list []schema.Finding) {
	for i := range list {
		if list[i].File == "" {
			list[i].File = r.end.TrajectoryFile
		}
	}
}

func compareFindings(a, b schema.Finding) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(codeOrder(a.Code), codeOrder(b.Code)), cmp.Compare(a.Pointer, b.Pointer),
		cmp.Compare(a.Have, b.Have), cmp.Compare(a.Want, b.Want), cmp.Compare(a.Severity, b.Severity))
}

func codeOrder(c *schema.FindingCode) int {
	return slices.Index(schema.FindingCodes, c)
}

// FindingRows turns the findings of one directory, in their order, into rows.
func FindingRows(findings []schema.Finding) []schema.FindingRow {
	rows := make([]schema.FindingRow, len(findings))
	for i, f := range findings {
		rows[i] = schema.FindingRow{
			RawPath: f.RunPath, Place: int64(i + 1), RunID: textOrNone(f.RunID), Code: f.Code.Name, Severity: string(f.Severity),
			File: textOrNone(f.File), Line: positive(f.Line), ByteColumn: positive(f.Column), Pointer: textOrNone(f.Pointer),
			Have: textOrNone(f.Have), Want: textOrNone(f.Want), Message: textOrNone(message(f)),
		}
	}
	return rows
}

// message says the finding in a sentence: what is wrong, and what stands where.
func message(f schema.Finding) string {
	text := f.Code.Doc
	if f.Have != "" {
		text += ": have " + f.Have
	}
	if f.Want != "" {
		text += ", want " + f.Want
	}
	return text
}

func textOrNone(s string) schema.Opt[string] {
	if s == "" {
		return schema.None[string]()
	}
	return schema.Some(s)
}

func positive(n int64) schema.Opt[int64] {
	if n <= 0 {
		return schema.None[int64]()
	}
	return schema.Some(n)
}

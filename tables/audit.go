package tables

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// The checks of the apparatus: a query each, whose first lines say what it is.
//
//go:embed audit/*.sql
var auditFiles embed.FS

// auditNames lists the checks in the order in which they are reported. Adding
// one is its file and a line here.
var auditNames = []string{
	accountingCheck,
	"attrition",
	"no_model_calls",
	"no_tool_calls",
	"empty_patches",
	"factor_never_acted",
	"aliased_factors",
	"confounds",
	"identical_outcomes",
	"live_tasks",
	"evaluation",
	"total_mismatch",
	"partial_totals",
	"coverage",
	"cost_of_failures",
	"repetitions",
}

// accountingCheck is the check that no table goes without.
const accountingCheck = "accounting"

// Accounting returns an error where the accounting of a dataset opened with
// duck.OpenStudy does not add up: then no denominator of any table can be
// believed. Like Audit it makes views, so it is called once and in its place.
func Accounting(ctx context.Context, db *duck.DB) error {
	check, err := readCheck(accountingCheck)
	if err != nil {
		return err
	}
	list, err := Audit(ctx, db, Apparatus{}, []Check{check})
	if err != nil {
		return err
	}
	for _, o := range list {
		if o.Found {
			return fmt.Errorf("the accounting does not add up: %s: have %s, want them equal", o.Subject, o.Text)
		}
	}
	return nil
}

// A Check is one question about the apparatus: did the thing that a study
// measures take place at all, and alike in every arm?
type Check struct {
	// Name is what --check takes.
	Name string
	// Title is the question in a few words.
	Title string
	// Severity is that of what it finds. A fact that a reader should know but that is no fault is info.
	Severity schema.Severity
	// Doc says what it means when something is found.
	Doc string
	// Of names what the question is asked of, and Among is the FROM clause that
	// gives a row for each. Where there is none the question stays open: a check
	// that could see nothing has not passed. Both are empty for a check that always
	// has something to look at.
	Of, Among string
	// SQL gives a row a subject: subject, found, text, numerator, denominator.
	SQL string
}

// An Observation is one row of a check.
type Observation struct {
	// Check is what was asked.
	Check Check
	// Subject is what it is about: an arm, a factor, a setting, a metric.
	Subject string
	// Found is true where the check found something; otherwise the row is a fact worth printing.
	Found bool
	// Open is true where there was nothing to ask: the check has neither passed nor
	// found something.
	Open bool
	// Text says it in a sentence.
	Text string
	// Numerator and Denominator are the counts behind it; missing where there are none.
	Numerator, Denominator schema.Opt[int64]
}

// Severity is the check's where something was found, else info.
func (o Observation) Severity() schema.Severity {
	if o.Found {
		return o.Check.Severity
	}
	return schema.SeverityInfo
}

// Checks returns the checks in order.
func Checks() []Check {
	var list []Check
	for _, name := range auditNames {
		c, err := readCheck(name)
		if err != nil {
			panic("tables: audit/" + name + ".sql: " + err.Error())
		}
		list = append(list, c)
	}
	return list
}

// readCheck reads a check's file: comment lines "-- title:", "-- severity:",
// "-- of:", if any, and "-- means:", the last one going on over the comment lines
// that follow, then the query.
func readCheck(name string) (Check, error) {
	text, err := auditFiles.ReadFile("audit/" + name + ".sql")
	if err != nil {
		return Check{}, err
	}
	c := Check{Name: name, SQL: string(text)}
	for line := range strings.Lines(c.SQL) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if !ok {
			break
		}
		switch key, value, _ := strings.Cut(comment, ": "); {
		case key == "title":
			c.Title = value
		case key == "severity":
			c.Severity = schema.Severity(value)
		case key == "of":
			c.Of, c.Among, _ = strings.Cut(value, ": ")
		case key == "means":
			c.Doc = value
		default:
			c.Doc += " " + comment
		}
	}
	switch c.Severity {
	case schema.SeverityError, schema.SeverityWarning, schema.SeverityInfo:
	default:
		return c, fmt.Errorf("severity: have %q, want error, warning or info", c.Severity)
	}
	if c.Title == "" || c.Doc == "" {
		return c, fmt.Errorf("have no title or no meaning, want both in the first lines")
	}
	return c, nil
}

// Audit runs checks over a dataset opened with duck.OpenStudy. It makes the
// views that the checks share, so it can be called once for an open dataset.
func Audit(ctx context.Context, db *duck.DB, a Apparatus, checks []Check) ([]Observation, error) {
	if err := a.Define(ctx, db); err != nil {
		return nil, err
	}
	var all []Observation
	for _, c := range checks {
		list, err := observe(ctx, db, c)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func observe(ctx context.Context, db *duck.DB, c Check) ([]Observation, error) {
	res, err := db.Query(ctx, c.SQL)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", c.Name, err)
	}
	var list []Observation
	for _, row := range res.Rows {
		o := Observation{Check: c}
		for i, column := range res.Columns {
			switch v := row[i]; column.Name {
			case "subject":
				o.Subject = v.String()
			case "found":
				o.Found = v.Bool
			case "text":
				o.Text = v.String()
			case "numerator":
				o.Numerator = count(v)
			case "denominator":
				o.Denominator = count(v)
			}
		}
		list = append(list, o)
	}
	open, err := nothingToAsk(ctx, db, c)
	if open {
		list = append([]Observation{{Check: c, Open: true, Subject: "not known", Text: "have no " + c.Of}}, list...)
	}
	return list, err
}

// nothingToAsk reports whether there is nothing that the check could have seen.
func nothingToAsk(ctx context.Context, db *duck.DB, c Check) (bool, error) {
	if c.Among == "" {
		return false, nil
	}
	res, err := db.Query(ctx, "SELECT count(*) FROM (SELECT 1 "+c.Among+" LIMIT 1)")
	if err != nil {
		return false, fmt.Errorf("check %s: of: %w", c.Name, err)
	}
	return res.Rows[0][0].Int == 0, nil
}

func count(v duck.Value) schema.Opt[int64] {
	if v.Kind == duck.Integer {
		return schema.Some(v.Int)
	}
	return schema.None[int64]()
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// kindColumn is the kind of definitions whose names have two parts.
const kindColumn = "column"

// definitions gathers every list of the vocabulary.
func definitions() []definition {
	var all []definition
	for _, list := range [][]definition{
		metricDefinitions(), columnDefinitions(), eventDefinitions(), findingDefinitions(),
		tableDefinitions(), functionDefinitions(), programDefinitions(),
	} {
		all = append(all, list...)
	}
	return all
}

func metricDefinitions() []definition {
	var all []definition
	for _, m := range schema.Metrics {
		kind := "metric"
		if m.Level == schema.LevelQuery {
			kind = "query-metric"
		}
		facts := [][2]string{
			{"group", m.Group}, {"unit", m.Unit}, {"kind", string(m.Kind)}, {"better", string(m.Direction)}, {"heading", m.Heading},
			{"denominator", m.Denominator}, {"missing", m.Missing}, {"misleads", m.Misleads}, {"source", m.Source}, {"reads", strings.Join(m.Reads, ", ")},
		}
		for _, c := range m.Companions {
			facts = append(facts, [2]string{"column " + c.Name, c.Doc})
		}
		all = append(all, definition{kind, m.Name, m.Definition, facts})
	}
	return all
}

// columnDefinitions are the columns of every table of a dataset, as TABLE.COLUMN.
func columnDefinitions() []definition {
	var all []definition
	for _, t := range schema.Tables {
		all = append(all, definition{"view", t.Name, t.Doc, [][2]string{{"sorted by", strings.Join(t.Key, ", ")}}})
		for _, c := range tableColumns(t, nil) {
			null := "never NULL"
			if c.Nullable {
				null = "NULL is missing"
			}
			all = append(all, definition{kindColumn, t.Name + "." + c.Name, c.Doc, [][2]string{{"type", string(c.Type)}, {"unit", c.Unit}, {"null", null}}})
		}
	}
	for _, v := range duck.Views {
		all = append(all, definition{"view", v.Name, v.Doc, nil})
	}
	return all
}

func eventDefinitions() []definition {
	var all []definition
	for _, e := range schema.EventTypes {
		all = append(all, definition{"event", e.Name, e.Doc, fieldFacts("", e.Fields())})
	}
	for _, d := range schema.Documents {
		all = append(all, definition{"document", d.Name, d.Doc, fieldFacts("", d.Fields())})
	}
	for _, s := range append(slices.Clone(schema.Sets), schema.DerivedSets...) {
		for _, w := range s.Words {
			all = append(all, definition{"word", w.Name, w.Doc, [][2]string{{"of", s.Name + ": " + s.Doc}}})
		}
	}
	return all
}

func fieldFacts(prefix string, fields []schema.Field) [][2]string {
	var facts [][2]string
	for _, f := range fields {
		words := string(f.Kind)
		if f.Elem != nil {
			words += " of " + string(f.Elem.Kind)
		}
		if f.Unit != "" {
			words += ", " + f.Unit
		}
		if f.Required {
			words += ", required"
		}
		facts = append(facts, [2]string{prefix + f.Key, words + ": " + f.Doc})
		facts = append(facts, fieldFacts(prefix+f.Key+".", f.Fields)...)
		if f.Elem != nil {
			facts = append(facts, fieldFacts(prefix+f.Key+"[].", f.Elem.Fields)...)
		}
	}
	return facts
}

func findingDefinitions() []definition {
	var all []definition
	for _, c := range schema.FindingCodes {
		facts := [][2]string{{"severity", string(c.Severity)}}
		if c.EventsKept {
			facts = append(facts, [2]string{"events", "kept: the bytes can be believed"})
		}
		if c.Unidentified {
			facts = append(facts, [2]string{"directory", "unidentified: counted by path, no row in runs"})
		}
		all = append(all, definition{"finding", c.Name, c.Doc, facts})
	}
	for _, c := range schema.ExclusionReasons {
		all = append(all, definition{"exclusion", c.Name, c.Doc, nil})
	}
	all = append(all, definition{"exclusion", "rule:NAME", "the plan's exclusion rule NAME applies", nil})
	for _, r := range schema.MissingReasons {
		all = append(all, definition{"missing", r.Name, r.Doc, [][2]string{{"state", r.State()}}})
	}
	return all
}

// tableDefinitions are the paper tables and what stands in their columns.
func tableDefinitions() []definition {
	var all []definition
	for _, s := range tables.Shipped() {
		facts := [][2]string{}
		for _, c := range s.Columns {
			heading := c.Heading
			if c.Group != "" {
				heading = c.Group + ": " + heading
			}
			if c.Unit != "" {
				heading += " (" + c.Unit + ")"
			}
			facts = append(facts, [2]string{c.Key, heading + ", " + string(c.Kind)})
		}
		for _, n := range s.Notes {
			facts = append(facts, [2]string{"note", n})
		}
		all = append(all, definition{"table", fmt.Sprint(s.Number), s.Title + ". " + s.Caption, append(facts, [2]string{"query", strings.TrimSpace(s.SQL)})})
	}
	return all
}

func functionDefinitions() []definition {
	var all []definition
	for _, f := range duck.Functions {
		all = append(all, definition{"function", f.Name, f.Doc, [][2]string{
			{"kind", f.Kind}, {"arguments", f.Arguments}, {"returns", f.Returns}, {"example", f.Example}}})
	}
	return all
}

// programDefinitions are those of the program itself: importers, checks of
// the apparatus, and exit codes.
func programDefinitions() []definition {
	var all []definition
	for _, i := range importer.Importers {
		facts := [][2]string{}
		for _, c := range i.Cannot {
			facts = append(facts, [2]string{"cannot supply", c})
		}
		all = append(all, definition{"importer", i.Name, i.Doc, facts})
	}
	for _, c := range tables.Checks() {
		all = append(all, definition{"check", c.Name, c.Title + ". " + c.Doc, [][2]string{{"severity", string(c.Severity)}, {"query", strings.TrimSpace(c.SQL)}}})
	}
	for _, c := range exitCodes {
		all = append(all, definition{"exit", fmt.Sprint(c.number), c.meaning, nil})
	}
	return all
}

package schema

// MetricRow is one metric of the registry.
type MetricRow struct {
	// Level is run or query.
	Level string `col:"level"`
	// Place numbers the metrics in the order of the registry, from 1.
	Place int64 `col:"place"`
	// Name is the metric's column.
	Name string `col:"name"`
	// Heading is what tables print.
	Heading string `col:"heading"`
	// Group is the family.
	Group string `col:"metric_group"`
	// Unit is the unit of the value.
	Unit Opt[string] `col:"unit"`
	// Kind says how it is aggregated.
	Kind string `col:"kind"`
	// Type is the column's type.
	Type string `col:"column_type"`
	// Direction says whether more is better.
	Direction string `col:"direction"`
	// Definition says what the number is.
	Definition string `col:"definition"`
	// Denominator says which runs a mean or rate of it rests on.
	Denominator string `col:"denominator"`
	// Missing says what makes it missing, and when it does not apply.
	Missing string `col:"missing_when"`
	// Misleads says when the number misleads.
	Misleads string `col:"misleads"`
	// Source cites where the definition comes from.
	Source Opt[string] `col:"source"`
	// Reads lists the event types and documents that the value depends on.
	Reads []string `col:"reads"`
	// Companions lists the columns beside it.
	Companions []string `col:"companions"`
}

// MetricRows returns the rows of the table metrics.
func MetricRows() []MetricRow {
	rows := make([]MetricRow, len(Metrics))
	for i, m := range Metrics {
		rows[i] = MetricRow{
			Level: string(m.Level), Place: int64(i + 1), Name: m.Name, Heading: m.Heading, Group: m.Group,
			Unit: nonEmpty(m.Unit), Kind: string(m.Kind), Type: string(m.Type), Direction: string(m.Direction),
			Definition: m.Definition, Denominator: m.Denominator, Missing: m.Missing, Misleads: m.Misleads,
			Source: nonEmpty(m.Source), Reads: m.Reads, Companions: []string{},
		}
		for _, c := range m.Companions {
			rows[i].Companions = append(rows[i].Companions, c.Name)
		}
	}
	return rows
}

func nonEmpty(s string) Opt[string] {
	if s == "" {
		return None[string]()
	}
	return Some(s)
}

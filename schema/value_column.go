package schema

// A ValueColumn is a column that holds a metric or one of its companions. The
// Values of a row stand in the order of ValueColumns of its table's level.
type ValueColumn struct {
	Column
	// Metric is the metric that the column belongs to.
	Metric *Metric
	// Companion is the companion, or nil in the metric's own column.
	Companion *Companion
}

// ValueColumns returns the columns of the metrics of a level: each metric in the
// order of Metrics, its companions behind it.
func ValueColumns(level Level) []ValueColumn {
	var list []ValueColumn
	for _, m := range Metrics {
		if m.Level != level {
			continue
		}
		list = append(list, ValueColumn{Metric: m,
			Column: Column{Name: m.Name, Type: m.Type, Unit: m.Unit, Nullable: true, Doc: m.Definition}})
		for i := range m.Companions {
			c := &m.Companions[i]
			list = append(list, ValueColumn{Metric: m, Companion: c,
				Column: Column{Name: c.Name, Type: c.Type, Unit: c.Unit, Nullable: true, Doc: c.Doc}})
		}
	}
	return list
}

// ValueIndex is the place of a metric's own column in the Values of its level;
// its companions follow it. A metric that is not listed is a mistake of the
// program, and panics.
func ValueIndex(m *Metric) int {
	at := 0
	for _, other := range Metrics {
		if other == m {
			return at
		}
		if other.Level == m.Level {
			at += 1 + len(other.Companions)
		}
	}
	panic("schema: the metric " + m.Name + " is not listed")
}

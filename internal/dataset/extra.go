package dataset

import (
	"fmt"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-bench/assay/schema"
)

// An Extra is a column that the row struct does not declare, because its name
// comes from a list (metrics) or from the data (factors). It is nullable.
type Extra[Row any] struct {
	// Column describes the column.
	Column schema.Column
	append func(dst []parquet.Value, row *Row, t *columnText) ([]parquet.Value, error)
}

func (x Extra[Row]) rowColumn() rowColumn {
	return rowColumn{Column: x.Column, append: func(dst []parquet.Value, rows span, t *columnText) (_ []parquet.Value, at int, err error) {
		for i := range rows.n {
			if dst, err = x.append(dst, (*Row)(rows.field(i, 0)), t); err != nil {
				return dst, i, err
			}
		}
		return dst, 0, nil
	}}
}

// ValueExtras are the columns of the metrics of a level and of their companions.
// A row without values, as of an excluded run, is NULL in all of them.
func ValueExtras[Row any](level schema.Level, values func(*Row) []schema.Value) []Extra[Row] {
	var list []Extra[Row]
	for i, c := range schema.ValueColumns(level) {
		list = append(list, Extra[Row]{Column: c.Column, append: func(dst []parquet.Value, row *Row, t *columnText) ([]parquet.Value, error) {
			all := values(row)
			if len(all) == 0 || !all[i].Has() {
				return append(dst, parquet.Value{}), nil
			}
			v, err := metricValue(all[i], c.Type, t)
			v.SetDefinitionLevel(1)
			return append(dst, v), err
		}})
	}
	return list
}

// metricValue takes a value that must have the column's type; another one is a
// mistake of the program that computed it.
func metricValue(v schema.Value, typ schema.ColumnType, t *columnText) (parquet.Value, error) {
	if v.Type() != typ {
		panic(fmt.Sprintf("dataset: a metric of type %s in a column of type %s", v.Type(), typ))
	}
	switch typ {
	case schema.TypeInteger:
		n, _ := v.Integer()
		return integerValue(n, t)
	case schema.TypeDouble:
		x, _ := v.Double()
		return doubleValue(x, t)
	case schema.TypeDecimal:
		u, _ := v.Amount()
		return moneyValue(u, t)
	case schema.TypeText:
		s, _ := v.Text()
		return textValue(s, t)
	}
	panic("dataset: a metric of type " + string(typ))
}

// Columns describes the columns of a table's file: those of the row struct, then
// metrics, then factors.
func Columns(t *schema.Table, factors []Factor) []schema.Column {
	list := t.Columns()
	for _, c := range schema.ValueColumns(t.Values) {
		list = append(list, c.Column)
	}
	if t.Factors {
		for _, f := range factors {
			list = append(list, f.column())
		}
	}
	return list
}

func (f Factor) column() schema.Column {
	return schema.Column{Name: f.Column, Type: schema.TypeText, Nullable: true, Doc: "the level of the factor " + f.Name}
}

// FactorExtras are the columns of the factors, with each row's level as text.
func FactorExtras[Row any](factors []Factor, treatment func(*Row) schema.Members[schema.Scalar]) []Extra[Row] {
	var list []Extra[Row]
	for _, f := range factors {
		list = append(list, Extra[Row]{Column: f.column(), append: func(dst []parquet.Value, row *Row, t *columnText) ([]parquet.Value, error) {
			level, ok := treatment(row).Get(f.Name)
			if !ok {
				return append(dst, parquet.Value{}), nil
			}
			v, err := textValue(level.Text(), t)
			v.SetDefinitionLevel(1)
			return append(dst, v), err
		}})
	}
	return list
}

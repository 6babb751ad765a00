package schema

import (
	"reflect"
)

// A Table is one file of the dataset. Its columns are the fields of its row
// struct, in order; the text of each is the comment above the field.
type Table struct {
	// Name is the file's name without .parquet, and the view's name in SQL.
	Name string
	// Doc says what one row is.
	Doc string
	// Key lists the columns that sort the rows and tell them apart.
	Key []string
	// Values is the level whose metrics stand in each row's Values, as columns
	// behind those of the struct; empty where rows have none.
	Values Level
	// Factors is true where each row's Treatment becomes columns factor_<name>,
	// last and sorted by name.
	Factors bool
	// row returns an empty row struct.
	row func() any
}

// Columns describes the columns that the row struct declares. Package dataset
// adds the columns of metrics and factors to the tables that have them.
func (t *Table) Columns() []Column {
	return columnsOf(reflect.TypeOf(t.row()))
}

// columnsOf reads the columns of a row struct; an embedded struct adds its own.
func columnsOf(t reflect.Type) []Column {
	var list []Column
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			list = append(list, columnsOf(sf.Type)...)
			continue
		}
		name := sf.Tag.Get("col")
		if name == "" {
			continue
		}
		c := Column{Name: name, Unit: sf.Tag.Get("unit"), Doc: comment(t.Name(), sf.Name)}
		c.Type, c.Nullable = columnType(sf.Type)
		list = append(list, c)
	}
	return list
}

func columnType(t reflect.Type) (typ ColumnType, nullable bool) {
	switch t {
	case reflect.TypeFor[string]():
		return TypeText, false
	case reflect.TypeFor[Opt[string]]():
		return TypeText, true
	case reflect.TypeFor[int64]():
		return TypeInteger, false
	case reflect.TypeFor[Opt[int64]]():
		return TypeInteger, true
	case reflect.TypeFor[float64]():
		return TypeDouble, false
	case reflect.TypeFor[Opt[float64]]():
		return TypeDouble, true
	case reflect.TypeFor[bool]():
		return TypeBoolean, false
	case reflect.TypeFor[Opt[bool]]():
		return TypeBoolean, true
	case reflect.TypeFor[Opt[Time]]():
		return TypeTimestamp, true
	case reflect.TypeFor[Opt[USD]]():
		return TypeDecimal, true
	case reflect.TypeFor[[]string]():
		return TypeTextList, true
	}
	panic("schema: a column of type " + t.String())
}

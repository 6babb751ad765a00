package dataset

import (
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-bench/assay/schema"
)

// An appendFunc appends the Parquet values of one column of a slice of rows; their
// text is kept by t. Rows are read through the offset of their field, fixed when
// the writer was made, and all at once: reflection or a call for each value would
// cost more than all of the encoding. On an error it returns the place of the row.
type appendFunc func(dst []parquet.Value, rows span, t *columnText) (values []parquet.Value, at int, err error)

// A span is a slice of rows of any type.
type span struct {
	first unsafe.Pointer
	size  uintptr
	n     int
}

func spanOf[Row any](rows []Row) span {
	return span{first: unsafe.Pointer(unsafe.SliceData(rows)), size: unsafe.Sizeof(*new(Row)), n: len(rows)}
}

// field points to the field at an offset of row i.
func (s span) field(i int, offset uintptr) unsafe.Pointer {
	return unsafe.Add(s.first, uintptr(i)*s.size+offset)
}

// A textBlock holds the text of a batch, so that callers may reuse theirs.
type textBlock struct{ all, free []byte }

// textBlockBytes is the size of a block; longer text gets memory of its own.
const textBlockBytes = 64 << 10

// keep copies s. A block that is full lives as long as the values in it.
func (t *textBlock) keep(s string) []byte {
	if len(s) > textBlockBytes/8 {
		return []byte(s)
	}
	if len(s) > len(t.free) {
		t.all = make([]byte, textBlockBytes)
		t.free = t.all
	}
	b := t.free[:len(s):len(s)]
	copy(b, s)
	t.free = t.free[len(s):]
	return b
}

// reset begins the next batch, once nobody looks at the values of the last one.
func (t *textBlock) reset() { t.free = t.all }

// A columnText keeps the text of one column. The text of a column is often that
// of the row before, as is a run's id.
type columnText struct {
	block *textBlock
	last  []byte
}

// keep copies s, unless it is the last text.
func (t *columnText) keep(s string) ([]byte, error) {
	if string(t.last) == s && s != "" {
		return t.last, nil
	}
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("have %.40q, want UTF-8", s)
	}
	t.last = t.block.keep(s)
	return t.last, nil
}

// A rowColumn is one column with the way its values come out of a row.
type rowColumn struct {
	schema.Column
	append appendFunc
}

// tableColumns compiles the row struct of a table, and holds it against the
// table's own columns.
func tableColumns(t *schema.Table, row reflect.Type) []rowColumn {
	list, declared := rowColumns(row), t.Columns()
	if len(list) != len(declared) {
		panic(fmt.Sprintf("dataset: %s: the row struct has %d columns, the table %d", t.Name, len(list), len(declared)))
	}
	for i, c := range declared {
		if list[i].Name != c.Name || list[i].Type != c.Type {
			panic("dataset: " + t.Name + ": the row struct is not the table's: column " + c.Name)
		}
		list[i].Column = c
	}
	return list
}

// rowColumns compiles the fields of a row struct that have a column name.
func rowColumns(row reflect.Type) []rowColumn {
	var list []rowColumn
	walkFields(row, 0, func(name string, typ reflect.Type, offset uintptr) {
		c := fieldColumn(typ, offset)
		c.Name = name
		list = append(list, c)
	})
	return list
}

// walkFields visits the columns of a struct in order, embedded structs included.
func walkFields(t reflect.Type, base uintptr, visit func(name string, typ reflect.Type, offset uintptr)) {
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			walkFields(sf.Type, base+sf.Offset, visit)
			continue
		}
		if name := sf.Tag.Get("col"); name != "" {
			visit(name, sf.Type, base+sf.Offset)
		}
	}
}

func fieldColumn(t reflect.Type, offset uintptr) rowColumn {
	switch t {
	case reflect.TypeFor[string]():
		return required(schema.TypeText, offset, textValue)
	case reflect.TypeFor[schema.Opt[string]]():
		return optional(schema.TypeText, offset, textValue)
	case reflect.TypeFor[int64]():
		return required(schema.TypeInteger, offset, integerValue)
	case reflect.TypeFor[schema.Opt[int64]]():
		return optional(schema.TypeInteger, offset, integerValue)
	case reflect.TypeFor[float64]():
		return required(schema.TypeDouble, offset, doubleValue)
	case reflect.TypeFor[schema.Opt[float64]]():
		return optional(schema.TypeDouble, offset, doubleValue)
	case reflect.TypeFor[bool]():
		return required(schema.TypeBoolean, offset, booleanValue)
	case reflect.TypeFor[schema.Opt[bool]]():
		return optional(schema.TypeBoolean, offset, booleanValue)
	case reflect.TypeFor[schema.Opt[schema.Time]]():
		return optional(schema.TypeTimestamp, offset, timeValue)
	case reflect.TypeFor[schema.Opt[schema.USD]]():
		return optional(schema.TypeDecimal, offset, moneyValue)
	case reflect.TypeFor[[]string]():
		return rowColumn{Column: schema.Column{Type: schema.TypeTextList, Nullable: true}, append: textLists(offset)}
	}
	panic("dataset: a column of type " + t.String())
}

// A valueFunc turns a value into that of a column.
type valueFunc[T any] func(v T, t *columnText) (parquet.Value, error)

func required[T any](typ schema.ColumnType, offset uintptr, value valueFunc[T]) rowColumn {
	return rowColumn{Column: schema.Column{Type: typ}, append: func(dst []parquet.Value, rows span, t *columnText) ([]parquet.Value, int, error) {
		for i := range rows.n {
			v, err := value(*(*T)(rows.field(i, offset)), t)
			if err != nil {
				return dst, i, err
			}
			dst = append(dst, v)
		}
		return dst, 0, nil
	}}
}

func optional[T any](typ schema.ColumnType, offset uintptr, value valueFunc[T]) rowColumn {
	return rowColumn{Column: schema.Column{Type: typ, Nullable: true}, append: func(dst []parquet.Value, rows span, t *columnText) ([]parquet.Value, int, error) {
		for i := range rows.n {
			x, ok := (*schema.Opt[T])(rows.field(i, offset)).Get()
			if !ok {
				dst = append(dst, parquet.Value{})
				continue
			}
			v, err := value(x, t)
			if err != nil {
				return dst, i, err
			}
			v.SetDefinitionLevel(1)
			dst = append(dst, v)
		}
		return dst, 0, nil
	}}
}

func textLists(offset uintptr) appendFunc {
	return func(dst []parquet.Value, rows span, t *columnText) (_ []parquet.Value, at int, err error) {
		for i := range rows.n {
			if dst, err = appendTextList(dst, *(*[]string)(rows.field(i, offset)), t); err != nil {
				return dst, i, err
			}
		}
		return dst, 0, nil
	}
}

// appendTextList appends a list: definition level 0 is a missing list, 1 an empty
// one, 2 an element; repetition level 1 continues the list of the row.
func appendTextList(dst []parquet.Value, list []string, t *columnText) ([]parquet.Value, error) {
	if len(list) == 0 {
		level := 0
		if list != nil {
			level = 1
		}
		return append(dst, parquet.Value{}.Level(0, level, 0)), nil
	}
	for i, s := range list {
		v, err := textValue(s, t)
		if err != nil {
			return dst, err
		}
		dst = append(dst, v.Level(min(i, 1), 2, 0))
	}
	return dst, nil
}

func textValue(s string, t *columnText) (parquet.Value, error) {
	b, err := t.keep(s)
	return parquet.ByteArrayValue(b), err
}

func integerValue(n int64, _ *columnText) (parquet.Value, error) { return parquet.Int64Value(n), nil }

func doubleValue(x float64, _ *columnText) (parquet.Value, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return parquet.Value{}, fmt.Errorf("have %v, want a finite number", x)
	}
	return parquet.DoubleValue(x), nil
}

func booleanValue(b bool, _ *columnText) (parquet.Value, error) { return parquet.BooleanValue(b), nil }

func timeValue(t schema.Time, _ *columnText) (parquet.Value, error) {
	return parquet.Int64Value(int64(t)), nil
}

func moneyValue(u schema.USD, _ *columnText) (parquet.Value, error) {
	if u > schema.MaxUSD || u < -schema.MaxUSD {
		return parquet.Value{}, fmt.Errorf("have %v dollars, want less than 1e9", u)
	}
	return parquet.Int64Value(int64(u)), nil
}

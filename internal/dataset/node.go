package dataset

import (
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-bench/assay/schema"
)

// rootNode is a group that keeps the declared order of its columns; the
// library's own group sorts them by name.
type rootNode struct {
	parquet.Group
	order []string
}

// Fields returns the columns in their declared order.
func (n rootNode) Fields() []parquet.Field {
	sorted := n.Group.Fields()
	list := make([]parquet.Field, len(n.order))
	for _, f := range sorted {
		list[slices.Index(n.order, f.Name())] = f
	}
	return list
}

func parquetSchema(table string, columns []rowColumn) *parquet.Schema {
	root := rootNode{Group: parquet.Group{}}
	for _, c := range columns {
		if _, twice := root.Group[c.Name]; twice {
			panic("dataset: " + table + ": two columns are named " + c.Name)
		}
		root.Group[c.Name] = columnNode(c.Column)
		root.order = append(root.order, c.Name)
	}
	return parquet.NewSchema(table, root)
}

func columnNode(c schema.Column) parquet.Node {
	node := typeNode(c.Type)
	if c.Nullable || c.Type == schema.TypeTextList {
		return parquet.Optional(node)
	}
	return node
}

// typeNode chooses physical type and encoding. Text repeats, so it gets a
// dictionary, which the library gives up where it grows too large; integers are
// positions, counts and times in order, for which differences are smaller.
func typeNode(t schema.ColumnType) parquet.Node {
	switch t {
	case schema.TypeText:
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	case schema.TypeInteger:
		return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	case schema.TypeDouble:
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.RLEDictionary)
	case schema.TypeBoolean:
		return parquet.Leaf(parquet.BooleanType)
	case schema.TypeTimestamp:
		return parquet.Encoded(parquet.TimestampAdjusted(parquet.Microsecond, true), &parquet.DeltaBinaryPacked)
	case schema.TypeDecimal:
		return parquet.Encoded(parquet.Decimal(9, 18, parquet.Int64Type), &parquet.RLEDictionary)
	case schema.TypeTextList:
		return parquet.List(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	}
	panic("dataset: a column of type " + string(t))
}

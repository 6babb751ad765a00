package main

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/assay-bench/assay/stats/duck"
)

// arrowBatch is the number of rows of a record batch.
const arrowBatch = 8192

// writeArrow writes an Arrow IPC stream.
func writeArrow(ctx context.Context, db *duck.DB, query string, w io.Writer) error {
	var builder *array.RecordBuilder
	var out *ipc.Writer
	flush := func() error {
		batch := builder.NewRecordBatch()
		defer batch.Release()
		return out.Write(batch)
	}
	rows := 0
	err := db.Each(ctx, query, func(cols []duck.Column) error {
		fields := make([]arrow.Field, len(cols))
		for i, c := range cols {
			fields[i] = arrow.Field{Name: c.Name, Type: arrowType(c.Type), Nullable: true}
		}
		schema := arrow.NewSchema(fields, nil)
		builder = array.NewRecordBuilder(memory.DefaultAllocator, schema)
		out = ipc.NewWriter(w, ipc.WithSchema(schema))
		return nil
	}, func(row []duck.Value) error {
		if err := appendAll(row, builder.Field); err != nil {
			return err
		}
		if rows++; rows%arrowBatch == 0 {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer builder.Release()
	if rows%arrowBatch != 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return out.Close()
}

// arrowType is the type of a column; what Arrow has no type for becomes text.
func arrowType(t duck.Type) arrow.DataType {
	switch t.Name {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
		return arrow.PrimitiveTypes.Int64
	case "UBIGINT":
		return arrow.PrimitiveTypes.Uint64
	case "DOUBLE", "FLOAT":
		return arrow.PrimitiveTypes.Float64
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean
	case "HUGEINT":
		return &arrow.Decimal128Type{Precision: maxDecimal}
	case "DATE":
		return arrow.FixedWidthTypes.Date32
	case "TIMESTAMP":
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case "TIMESTAMPTZ":
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case duck.TypeDecimal:
		return &arrow.Decimal128Type{Precision: int32(t.Width), Scale: int32(t.Scale)}
	case duck.TypeList:
		return arrow.ListOf(arrowType(*t.Elem))
	case duck.TypeMap:
		return arrow.MapOf(arrow.BinaryTypes.String, arrowType(*t.Elem))
	case duck.TypeStruct:
		fields := make([]arrow.Field, len(t.Members))
		for i, m := range t.Members {
			fields[i] = arrow.Field{Name: t.Names[i], Type: arrowType(m), Nullable: true}
		}
		return arrow.StructOf(fields...)
	}
	return arrow.BinaryTypes.String
}

// maxDecimal is the number of digits that a decimal of 128 bits holds.
const maxDecimal = 38

func appendArrow(b array.Builder, v duck.Value) error {
	if v.Kind == duck.Null {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.Int)
	case *array.Uint64Builder:
		b.Append(v.Big().Uint64())
	case *array.Float64Builder:
		f, _ := v.Number()
		b.Append(f)
	case *array.BooleanBuilder:
		b.Append(v.Bool)
	case *array.Date32Builder:
		day, err := time.Parse(time.DateOnly, v.Text)
		if err != nil {
			return err
		}
		b.Append(arrow.Date32FromTime(day))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.Time.UnixMicro()))
	case *array.Decimal128Builder:
		n := v.Big()
		if len(new(big.Int).Abs(n).String()) > maxDecimal {
			return fmt.Errorf("have %s, want an integer of at most %d digits: cast it to VARCHAR", n, maxDecimal)
		}
		b.Append(decimal128.FromBigInt(n))
	case *array.StringBuilder:
		b.Append(v.String())
	case *array.ListBuilder:
		b.Append(true)
		return appendAll(v.Elems, func(int) array.Builder { return b.ValueBuilder() })
	case *array.MapBuilder:
		b.Append(true)
		for i, e := range v.Elems {
			b.KeyBuilder().(*array.StringBuilder).Append(v.Names[i])
			if err := appendArrow(b.ItemBuilder(), e); err != nil {
				return err
			}
		}
	case *array.StructBuilder:
		b.Append(true)
		return appendAll(v.Elems, b.FieldBuilder)
	}
	return nil
}

// appendAll appends the parts of a nested value, each to the builder of its place.
func appendAll(parts []duck.Value, builder func(int) array.Builder) error {
	for i, v := range parts {
		if err := appendArrow(builder(i), v); err != nil {
			return err
		}
	}
	return nil
}

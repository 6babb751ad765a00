package main

import (
	"context"
	"io"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/assay-bench/assay/stats/duck"
)

// arrowBatch is the number of rows of a record batch.
const arrowBatch = 8192

// writeArrow writes an Arrow IPC stream. Lists and structs become text.
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
		for i, v := range row {
			appendArrow(builder.Field(i), v)
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

func arrowType(sqlType string) arrow.DataType {
	switch sqlType {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER":
		return arrow.PrimitiveTypes.Int64
	case "DOUBLE", "FLOAT":
		return arrow.PrimitiveTypes.Float64
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean
	case "HUGEINT":
		return &arrow.Decimal128Type{Precision: 38}
	case "TIMESTAMPTZ", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE":
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case "DECIMAL(18,9)":
		return &arrow.Decimal128Type{Precision: 18, Scale: 9}
	}
	if strings.HasPrefix(sqlType, "DECIMAL") {
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.BinaryTypes.String
}

func appendArrow(b array.Builder, v duck.Value) {
	if v.Kind == duck.Null {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.Int)
	case *array.Float64Builder:
		f, _ := v.Number()
		b.Append(f)
	case *array.BooleanBuilder:
		b.Append(v.Bool)
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.Time.UnixMicro()))
	case *array.Decimal128Builder:
		n := v.Unscaled
		if v.Kind == duck.Integer {
			n = big.NewInt(v.Int)
		}
		b.Append(decimal128.FromBigInt(n))
	case *array.StringBuilder:
		b.Append(v.String())
	}
}

package duck

import "github.com/duckdb/duckdb-go/v2"

// A Type is the type of a column or of what a column's values are made of.
type Type struct {
	// Name is the database's name: of a nested type without what it is made of, such
	// as LIST, STRUCT or MAP.
	Name string
	// Elem is the type of the elements of a LIST; that of the values of a MAP.
	Elem *Type
	// Key is the type of the keys of a MAP.
	Key *Type
	// Members are the types of the members of a STRUCT, and Names their names.
	Members []Type
	// Names are the names of the members of a STRUCT.
	Names []string
	// Width and Scale are the digits of a DECIMAL.
	Width, Scale int
}

// The names of nested types, and of the types with parameters.
const (
	TypeList    = "LIST"
	TypeStruct  = "STRUCT"
	TypeMap     = "MAP"
	TypeDecimal = "DECIMAL"
)

// columnType is the type of a prepared statement's column; where the statement does
// not say it, the type has the name given.
func columnType(stmt *duckdb.Stmt, i int, name string) Type {
	info, err := stmt.ColumnTypeInfo(i)
	if err != nil {
		return Type{Name: name}
	}
	if name == "" {
		name = typeNames[info.InternalType()]
	}
	return typeOf(info, name)
}

// typeOf reads the driver's type; a type without parts keeps the name given.
func typeOf(info duckdb.TypeInfo, name string) Type {
	switch d := info.Details().(type) {
	case *duckdb.ListDetails:
		return Type{Name: TypeList, Elem: typeOfPart(d.Child)}
	case *duckdb.ArrayDetails:
		return Type{Name: TypeList, Elem: typeOfPart(d.Child)}
	case *duckdb.MapDetails:
		return Type{Name: TypeMap, Key: typeOfPart(d.Key), Elem: typeOfPart(d.Value)}
	case *duckdb.DecimalDetails:
		return Type{Name: TypeDecimal, Width: int(d.Width), Scale: int(d.Scale)}
	case *duckdb.StructDetails:
		t := Type{Name: TypeStruct}
		for _, e := range d.Entries {
			t.Members = append(t.Members, *typeOfPart(e.Info()))
			t.Names = append(t.Names, e.Name())
		}
		return t
	}
	return Type{Name: name}
}

// typeOfPart is the type of an element, a member, a key or a value.
func typeOfPart(info duckdb.TypeInfo) *Type {
	t := typeOf(info, typeNames[info.InternalType()])
	return &t
}

// typeNames are the names of the types whose values are not what the driver's Go
// type says alone, and of those that Arrow has a type for.
var typeNames = map[duckdb.Type]string{
	duckdb.TYPE_BOOLEAN: "BOOLEAN", duckdb.TYPE_TINYINT: "TINYINT", duckdb.TYPE_SMALLINT: "SMALLINT", duckdb.TYPE_INTEGER: "INTEGER", duckdb.TYPE_BIGINT: "BIGINT",
	duckdb.TYPE_UTINYINT: "UTINYINT", duckdb.TYPE_USMALLINT: "USMALLINT", duckdb.TYPE_UINTEGER: "UINTEGER", duckdb.TYPE_UBIGINT: "UBIGINT", duckdb.TYPE_HUGEINT: "HUGEINT",
	duckdb.TYPE_FLOAT: "FLOAT", duckdb.TYPE_DOUBLE: "DOUBLE", duckdb.TYPE_VARCHAR: "VARCHAR", duckdb.TYPE_UUID: "UUID", duckdb.TYPE_DATE: "DATE",
	duckdb.TYPE_TIME: "TIME", duckdb.TYPE_TIME_TZ: "TIMETZ", duckdb.TYPE_TIMESTAMP: "TIMESTAMP", duckdb.TYPE_TIMESTAMP_TZ: "TIMESTAMPTZ",
}

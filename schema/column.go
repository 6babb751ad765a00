package schema

// A ColumnType is the logical type of a Parquet column.
type ColumnType string

// The column types.
const (
	// TypeText is UTF-8 text.
	TypeText ColumnType = "VARCHAR"
	// TypeInteger is a signed 64-bit integer.
	TypeInteger ColumnType = "BIGINT"
	// TypeDouble is a double that is never NaN or infinite.
	TypeDouble ColumnType = "DOUBLE"
	// TypeBoolean is true or false.
	TypeBoolean ColumnType = "BOOLEAN"
	// TypeTimestamp is an instant in UTC, in microseconds.
	TypeTimestamp ColumnType = "TIMESTAMPTZ"
	// TypeDecimal has 18 digits, 9 of them decimals.
	TypeDecimal ColumnType = "DECIMAL(18,9)"
	// TypeTextList is a list of texts.
	TypeTextList ColumnType = "VARCHAR[]"
)

// A Column is one column of a table of the dataset.
type Column struct {
	// Name needs no quotes in SQL.
	Name string
	// Type is the logical type.
	Type ColumnType
	// Unit is the unit of a number, or empty.
	Unit string
	// Nullable is true where NULL, which means missing, can stand.
	Nullable bool
	// Doc says what the column means.
	Doc string
}

package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"
)

// A Function is one function of package stats in SQL.
type Function struct {
	// Name is what SQL calls.
	Name string
	// Kind is "scalar" for a function of values, "table" for one over a query.
	Kind string
	// Arguments are the names and types of its arguments, as documented.
	Arguments string
	// Returns describes the result.
	Returns string
	// Doc says what it computes, with its source.
	Doc string
	// Example is a query that calls it.
	Example string
	// register adds it to a database.
	register func(db *DB, conn *sql.Conn) error
}

// Functions lists every function, in the order of the documentation.
var Functions = []*Function{
	&wilsonFunction, &clopperPearsonFunction, &worstCaseFunction, &rateFunction, &passAtKFunction, &passHatKFunction,
	&medianFunction, &meanFunction, &quantileFunction, &scalingFunction,
	&newcombeFunction, &mcnemarFunction, &twoRatesFunction, &fisherFunction, &breslowDayFunction,
	&signTestFunction, &wilcoxonFunction, &holmFunction, &bhFunction, &retrievalFunction,
	&pairedFunction, &ablationsFunction, &factorialFunction, &strataFunction,
	&cochranFunction, &friedmanFunction, &varianceFunction, &rankingFunction, &leaveOneOutFunction, &powerFunction,
}

// register makes every function known to all connections of the database.
func (db *DB) register(ctx context.Context) error {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, f := range Functions {
		if err := f.register(db, conn); err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	return registerList(conn)
}

// guard turns a panic of a method into an error: one that crossed into C would
// end the process.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal fault: %v", p)
		}
	}()
	return f()
}

// A scalar is a scalar function whose executor takes the driver's values.
type scalar struct {
	inputs  []duckdb.TypeInfo
	result  duckdb.TypeInfo
	compute func(args []driver.Value) (any, error)
	special bool
}

// Config describes the function to the driver.
func (s *scalar) Config() duckdb.ScalarFuncConfig {
	return duckdb.ScalarFuncConfig{InputTypeInfos: s.inputs, ResultTypeInfo: s.result, SpecialNullHandling: s.special}
}

// Executor computes one row.
func (s *scalar) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(args []driver.Value) (out any, err error) {
		err = guard(func() (err error) {
			out, err = s.compute(args)
			return err
		})
		return out, err
	}}
}

func typeInfo(t duckdb.Type) duckdb.TypeInfo {
	info, err := duckdb.NewTypeInfo(t)
	if err != nil {
		panic(err)
	}
	return info
}

// structOf builds the type of a STRUCT with the members named, in order.
func structOf(members ...member) duckdb.TypeInfo {
	entries := make([]duckdb.StructEntry, len(members))
	for i, m := range members {
		e, err := duckdb.NewStructEntry(typeInfo(m.typ), m.name)
		if err != nil {
			panic(err)
		}
		entries[i] = e
	}
	info, err := duckdb.NewStructInfo(entries[0], entries[1:]...)
	if err != nil {
		panic(err)
	}
	return info
}

// A member is one member of a STRUCT result.
type member struct {
	name string
	typ  duckdb.Type
}

// Package duck queries a dataset with DuckDB and offers the functions of
// package stats in SQL. It is the one package that imports the database.
//
// A DB reads nothing but the files of its dataset: extensions are neither
// installed nor loaded, external access ends once the views are made, and the
// configuration is locked. Statements that write files are refused.
//
// The engine sums doubles in an order that differs from run to run when it has
// more than one thread. So it has one unless asked otherwise, and every number
// of a table is a sum of integers or decimals, or is made in package stats in a
// fixed order.
package duck

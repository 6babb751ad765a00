// Package registrytest holds the lists of the program to what is declared: a
// metric, finding, table, function, importer or subcommand that is declared and
// not listed would be missing from columns, documents and help without anybody
// seeing it. It has tests alone.
package registrytest

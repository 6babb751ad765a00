// Package schema is the vocabulary of a run: events, documents, fields,
// findings, exclusion reasons, failure stages, metrics and Parquet columns.
//
// Everything is defined once. A payload is a Go struct whose doc comments are
// the published text: field types, units and allowed values are read from the
// struct and its tags, the meaning from the comment above the field. JSON
// Schemas, SQL comments, Parquet columns and the pages under docs/ are computed
// from them, and so is the decoder that reads a line (see Decoder).
//
// The package is pure: it opens no file and reads no clock. It says what a line
// or a document may hold; reading directories is the business of package ingest,
// writing them that of package record.
//
// # Words
//
// A task is a problem with a known answer. A harness is the program under study,
// a treatment its levels of the experimental factors, an arm one combination of
// harness, model and treatment. A run is one attempt of one arm at one task; a
// repetition is its number within the cell. Events are what a run left behind.
package schema

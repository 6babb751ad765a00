// Package dataset is the one door to Parquet, and knows the folder that a
// derived dataset lives in: its tables, its lineage, its checksums.
//
// A table is written from a row struct of package schema. The struct is read
// once, when the writer is made; rows then go column by column to the Parquet
// library without reflection. Files are the same bytes for the same rows: the
// column order is the declared one, metadata is sorted, and nothing of the
// machine or the clock enters a file.
//
// Missing is NULL, never a zero: an empty list and a missing one are different
// values, and a NaN or an infinity is refused.
package dataset

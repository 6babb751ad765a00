package dataset

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/assay-bench/assay/schema"
)

// The bounds of a row group. They are the knob of the memory that an open
// writer takes: a row group is held, encoded, until it is full.
const (
	maxGroupRows  = 128 << 10
	maxGroupBytes = 32 << 20
	// pageBytes is the size of a page before compression, which each column of each
	// open table holds once; widePageBytes is that of a table of many columns.
	pageBytes     = 64 << 10
	widePageBytes = 16 << 10
	manyColumns   = 100
	// dictionaryBytes is where a dictionary is given up for the rest of a row group.
	dictionaryBytes = 512 << 10
	// indexBytes is where the page index cuts the bounds of a text.
	indexBytes = 64
	// batchRows is how many rows go to a column at once.
	batchRows = 256 // divides maxGroupRows
)

// createdBy names the writer. It is a constant, so that bytes depend on rows
// alone; which code wrote the file stands in the metadata.
var createdBy = parquet.CreatedBy("assay", "1", "parquet-go")

// compression is one codec for all writers: it keeps its encoders for the next
// page, and each encoder takes 8 MiB as soon as it has seen a large dictionary.
var compression = &zstd.Codec{Level: zstd.SpeedFastest}

// A Writer writes one table as one Parquet file, a column at a time.
type Writer[Row any] struct {
	name    string
	columns []rowColumn
	file    *parquet.GenericWriter[any]
	leaves  []*parquet.ColumnWriter
	// values holds the batch of each column that was not yet handed over.
	values  [][]parquet.Value
	block   textBlock
	texts   []columnText
	batched int
	rows    int64
	inGroup int64
	// groupStart is the size of the file when the row group began.
	groupStart int64
}

// NewWriter starts a file of a table. Extra columns come behind the declared
// ones, in the given order. The rows must come sorted by the table's key.
func NewWriter[Row any](w io.Writer, t *schema.Table, extra ...Extra[Row]) *Writer[Row] {
	columns := tableColumns(t, reflect.TypeFor[Row]())
	for _, x := range extra {
		columns = append(columns, x.rowColumn())
	}
	return newWriter[Row](w, t.Name, t.Key, columns)
}

func newWriter[Row any](out io.Writer, name string, key []string, columns []rowColumn) *Writer[Row] {
	page := pageBytes
	if len(columns) > manyColumns {
		page = widePageBytes
	}
	file := parquet.NewGenericWriter[any](out,
		parquetSchema(name, columns),
		createdBy,
		parquet.Compression(compression),
		parquet.MaxRowsPerRowGroup(maxGroupRows),
		parquet.PageBufferSize(page),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.ColumnPageBuffers(parquet.NewChunkBufferPool(page/4)),
		parquet.DataPageStatistics(false),
		parquet.ColumnIndexSizeLimit(func([]string) int { return indexBytes }),
		parquet.SortingWriterConfig(parquet.SortingColumns(sortingColumns(name, key, columns)...)),
		parquet.BloomFilters(bloomFilters(key, columns)...),
	)
	w := &Writer[Row]{name: name, columns: columns, file: file, leaves: file.ColumnWriters(),
		values: make([][]parquet.Value, len(columns)), texts: make([]columnText, len(columns))}
	for i := range w.texts {
		w.texts[i].block = &w.block
	}
	return w
}

// sortingColumns declares the order that the rows come in. NULL comes last.
func sortingColumns(table string, key []string, columns []rowColumn) []parquet.SortingColumn {
	var list []parquet.SortingColumn
	for _, name := range key {
		if !hasColumn(columns, name) {
			panic("dataset: " + table + ": no column " + name)
		}
		list = append(list, parquet.Ascending(name))
	}
	return list
}

// bloomFilters puts a filter on run_id where rows are not sorted by it: sorted
// rows have disjoint ranges, which already say where a run cannot be.
func bloomFilters(key []string, columns []rowColumn) []parquet.BloomFilterColumn {
	if len(key) > 0 && key[0] == runIDColumn || !hasColumn(columns, runIDColumn) {
		return nil
	}
	return []parquet.BloomFilterColumn{parquet.SplitBlockFilter(10, runIDColumn)}
}

func hasColumn(columns []rowColumn, name string) bool {
	return slices.ContainsFunc(columns, func(c rowColumn) bool { return c.Name == name })
}

// runIDColumn is the column that joins the tables.
const runIDColumn = "run_id"

// Rows returns the number of rows written so far.
func (w *Writer[Row]) Rows() int64 { return w.rows }

// Columns describes the columns of the file.
func (w *Writer[Row]) Columns() []schema.Column {
	list := make([]schema.Column, len(w.columns))
	for i, c := range w.columns {
		list[i] = c.Column
	}
	return list
}

// Write appends rows, which may be reused afterwards. An error names the column
// and the row's number; the file is then of no use.
func (w *Writer[Row]) Write(rows []Row) error {
	for len(rows) > 0 {
		n := min(batchRows-w.batched, len(rows))
		for i := range w.columns {
			if err := w.appendColumn(i, rows[:n]); err != nil {
				return err
			}
		}
		rows = rows[n:]
		w.batched += n
		w.rows += int64(n)
		if w.batched == batchRows {
			if err := w.flushBatch(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer[Row]) appendColumn(i int, rows []Row) error {
	values, at, err := w.columns[i].append(w.values[i], spanOf(rows), &w.texts[i])
	if err != nil {
		return fmt.Errorf("%s: row %d: %s: %w", w.name, w.rows+int64(at)+1, w.columns[i].Name, err)
	}
	w.values[i] = values
	return nil
}

// flushBatch hands a batch to the columns. Pages end between batches, so batches
// are of one size whatever the caller's slices are: the bytes depend on rows alone.
func (w *Writer[Row]) flushBatch() error {
	if w.batched == 0 {
		return nil
	}
	for i, values := range w.values {
		if _, err := w.leaves[i].WriteRowValues(values); err != nil {
			return fmt.Errorf("%s: %s: %w", w.name, w.columns[i].Name, err)
		}
		w.values[i], w.texts[i].last = values[:0], nil
	}
	w.block.reset()
	w.inGroup += int64(w.batched)
	w.batched = 0
	if w.inGroup < maxGroupRows && w.file.Size()-w.groupStart < maxGroupBytes {
		return nil
	}
	if err := w.file.Flush(); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	w.inGroup, w.groupStart = 0, w.file.Size()
	return nil
}

// SetMetadata sets a key of the file's metadata. It must be called before Close.
func (w *Writer[Row]) SetMetadata(key, value string) { w.file.SetKeyValueMetadata(key, value) }

// Close writes the footer; it does not close the underlying writer.
func (w *Writer[Row]) Close() error {
	if err := w.flushBatch(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	return nil
}

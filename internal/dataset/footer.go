package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A Footer is what the end of a Parquet file says of it.
type Footer struct {
	// Rows is the number of rows.
	Rows int64
	// RowGroups is the number of row groups.
	RowGroups int
	// Columns are the top-level columns, in order.
	Columns []string
	// Metadata is the key-value metadata.
	Metadata map[string]string
	// CreatedBy names the writer.
	CreatedBy string
}

// ReadFooter reads the footer of a Parquet file.
func ReadFooter(path string) (*Footer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	meta, _, err := readFooter(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := &Footer{Rows: meta.NumRows, RowGroups: len(meta.RowGroups), CreatedBy: meta.CreatedBy, Metadata: map[string]string{}}
	for _, kv := range meta.KeyValueMetadata {
		out.Metadata[kv.Key] = kv.Value
	}
	out.Columns = topLevel(meta.Schema)
	return out, nil
}

// topLevel names the columns: the schema lists its tree in depth-first order,
// the root first.
func topLevel(elements []format.SchemaElement) []string {
	var names []string
	below := int64(0) // elements left of the column that began last
	for _, e := range elements[min(1, len(elements)):] {
		if below == 0 {
			names = append(names, e.Name)
			below = 1
		}
		below += int64(e.NumChildren.V) - 1
	}
	return names
}

const footerMagic = "PAR1"

// readFooter decodes the footer and returns the offset at which it begins.
func readFooter(f *os.File) (*format.FileMetaData, int64, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
	var tail [8]byte
	if size < 12 {
		return nil, 0, fmt.Errorf("have %d bytes, want a Parquet file", size)
	}
	if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return nil, 0, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != footerMagic || length > size-12 {
		return nil, 0, fmt.Errorf("have no Parquet footer, want one at the end of the file")
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, size-8-length); err != nil {
		return nil, 0, err
	}
	meta := new(format.FileMetaData)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), text, meta); err != nil {
		return nil, 0, fmt.Errorf("footer: %w", err)
	}
	return meta, size - 8 - length, nil
}

// Stamp sets key-value metadata of a finished file, sorted by key, and leaves
// all else as it is. What a file is part of is known only once every file is
// written, so it comes last; the footer is the end of the file, and nothing in
// the file points behind it.
func Stamp(path string, metadata map[string]string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	meta, offset, err := readFooter(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	meta.KeyValueMetadata = mergedMetadata(meta.KeyValueMetadata, metadata)
	text, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return fmt.Errorf("%s: footer: %w", path, err)
	}
	text = binary.LittleEndian.AppendUint32(text, uint32(len(text)))
	text = append(text, footerMagic...)
	if err := f.Truncate(offset); err != nil {
		return err
	}
	_, err = f.WriteAt(text, offset)
	return err
}

func mergedMetadata(old []format.KeyValue, set map[string]string) []format.KeyValue {
	var list []format.KeyValue
	for _, kv := range old {
		if _, replaced := set[kv.Key]; !replaced {
			list = append(list, kv)
		}
	}
	for k, v := range set {
		list = append(list, format.KeyValue{Key: k, Value: v})
	}
	slices.SortFunc(list, func(a, b format.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return list
}

package duck

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// FileRelation is a view over one file of data at an absolute path: CSV, JSON
// lines or Parquet, named after the file without its ending.
func FileRelation(path string) (Relation, error) {
	base := filepath.Base(path)
	stem, _, _ := strings.Cut(base, ".")
	name := strings.Trim(notWord.ReplaceAllString(strings.ToLower(stem), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "file_" + name
	}
	lower := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(base), ".gz"), ".zst")
	switch filepath.Ext(lower) {
	case ".csv", ".tsv":
		return Relation{Name: name, Query: "SELECT * FROM read_csv(" + literal(path) + ")"}, nil
	case ".jsonl", ".ndjson":
		return Relation{Name: name, Query: "SELECT * FROM read_ndjson(" + literal(path) + ")"}, nil
	case ".json":
		return Relation{Name: name, Query: "SELECT * FROM read_json(" + literal(path) + ")"}, nil
	case ".parquet":
		return Relation{Name: name, Query: "SELECT * FROM read_parquet(" + literal(path) + ")"}, nil
	}
	return Relation{}, fmt.Errorf("%s: have another kind of file, want a dataset, or a file ending in .csv, .tsv, .jsonl, .json or .parquet", path)
}

var notWord = regexp.MustCompile(`[^a-z0-9_]+`)

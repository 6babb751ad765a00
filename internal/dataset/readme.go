package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// ReadmeFile is the name of the dataset's own description.
const ReadmeFile = "README.md"

// WriteReadme writes the description of a dataset, derived from its lineage.
func WriteReadme(dir string, l *Lineage, columns func(*schema.Table) []schema.Column) error {
	return os.WriteFile(filepath.Join(dir, ReadmeFile), []byte(readme(l, columns)), 0o644)
}

func readme(l *Lineage, columns func(*schema.Table) []schema.Column) string {
	var b strings.Builder
	c := l.Counts
	fmt.Fprintf(&b, "# Dataset %s\n\n", l.DatasetID)
	fmt.Fprintf(&b, "%d runs (%d included, %d excluded), %d planned cells (%d absent), made by assay %s, table version %s.\n\n",
		c.Runs, c.Included, c.Excluded, c.Planned, c.Absent, l.CodeRevision, l.SchemaVersion)
	fmt.Fprintf(&b, "%d directories were read: %d runs, %d copies, %d superseded, %d unidentified.\n", c.Directories, c.Runs, c.Copies, c.Superseded, c.Unidentified)
	b.WriteString("`" + LineageFile + "` names each of them with the hashes of its files; `sha256sum -c " + SumsFile + "` checks this folder.\n\n")
	b.WriteString("NULL means missing, never zero. Every row leads back to its raw line: run_id, raw_path (in runs), seq, line, byte_offset, byte_length.\n\n")
	b.WriteString("    duckdb -c \"SELECT arm, count(*), avg(resolved_at_1) FROM 'runs.parquet' WHERE excluded_by IS NULL GROUP BY arm\"\n\n")
	b.WriteString("| table | rows | one row is |\n|---|---|---|\n")
	for _, t := range schema.Tables {
		fmt.Fprintf(&b, "| [%s](#%s) | %d | %s |\n", t.Name, t.Name, l.rows(t), rowOf(t))
	}
	for _, t := range schema.Tables {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| column | type | meaning |\n|---|---|---|\n", t.Name, t.Doc)
		for _, c := range columns(t) {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, typeAndUnit(c), markdownCell(c.Doc))
		}
	}
	return b.String()
}

// rows is the number of rows of a table over its files.
func (l *Lineage) rows(t *schema.Table) int64 {
	var n int64
	for _, f := range l.Files {
		if f.Table == t.Name {
			n += f.Rows
		}
	}
	return n
}

func rowOf(t *schema.Table) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.Doc, "One row "), ".")
}

func typeAndUnit(c schema.Column) string {
	if c.Unit == "" {
		return string(c.Type)
	}
	return string(c.Type) + ", " + c.Unit
}

func markdownCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/tables"
)

// lineageSuffix ends the name of the file that says what a rendered table rests on.
const lineageSuffix = ".lineage.json"

// tables holds rendered tables against the dataset, and against the queries and
// specifications of this program.
func (l *statusList) tables(d *dataset.Dataset, folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"+lineageSuffix))
	if err != nil {
		return err
	}
	if _, err := os.Stat(folder); err != nil {
		return err
	}
	if len(files) == 0 {
		l.add(folder, false, "holds no rendered table")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var have lineageFile
		if err := json.Unmarshal(text, &have); err != nil {
			l.add(file, false, "cannot be read: %v", err)
			continue
		}
		l.table(d, strings.TrimSuffix(file, lineageSuffix), have)
	}
	return nil
}

// table says whether one rendered table is that of the dataset. A user's own table
// has no query in this program to be held against.
func (l *statusList) table(d *dataset.Dataset, name string, have lineageFile) {
	var why []string
	if have.DatasetID != d.Lineage.DatasetID {
		why = append(why, "of dataset "+have.DatasetID)
	}
	for _, s := range tables.Shipped() {
		if s.Name != have.Table {
			continue
		}
		if have.SQLSHA256 != sha256Hex([]byte(s.SQL)) {
			why = append(why, "made by another query")
		}
		if have.SpecSHA256 != sha256Hex(s.JSON()) {
			why = append(why, "made by another specification")
		}
	}
	if len(why) > 0 {
		l.add(name, false, "%s", strings.Join(why, ", "))
		return
	}
	what := "table " + have.Table
	if have.Table == "" {
		what = "a query"
	}
	l.add(name, true, "%s of this dataset", what)
}

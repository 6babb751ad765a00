package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// A lineageFile stands beside a rendered table, or a file of a query's rows, and
// says what it rests on.
type lineageFile struct {
	// Table is the table's name; empty for a query.
	Table string `json:"table,omitzero"`
	// Query is the SQL of a query; empty for a table.
	Query string `json:"query,omitzero"`
	// DatasetID is the dataset that it was made from.
	DatasetID string `json:"dataset_id"`
	// SchemaVersion is the version of the dataset's tables.
	SchemaVersion string `json:"schema_version"`
	// ContractVersion is the version of the raw contract that the program writes.
	ContractVersion string `json:"contract_version"`
	// CodeRevision is the revision of the program that made the file.
	CodeRevision string `json:"code_revision"`
	// SQLSHA256 is the hash of the query; empty for a whole database.
	SQLSHA256 string `json:"sql_sha256,omitzero"`
	// SpecSHA256 is the hash of the table's specification; empty for a query.
	SpecSHA256 string `json:"specification_sha256,omitzero"`
	// Faults is the convention of faults in use.
	Faults string `json:"faults"`
	// CreatedAt is when the file was made.
	CreatedAt schema.Time `json:"created_at"`
	// Included are the ids of the included runs: those that a table's cells rest on.
	Included []string `json:"included_run_ids"`
	// Excluded are the runs left out, each with its reason.
	Excluded []excludedRun `json:"excluded_run_ids"`
}

// An excludedRun is a run that is left out.
type excludedRun struct {
	// RunID is the run.
	RunID string `json:"run_id"`
	// Reason is why.
	Reason string `json:"reason"`
}

// tableLineage is the lineage of a table.
func tableLineage(ctx context.Context, d *dataset.Dataset, db *duck.DB, s tables.Spec) ([]byte, error) {
	return lineageFile{Table: s.Name, SQLSHA256: sha256Hex([]byte(s.SQL)), SpecSHA256: sha256Hex(s.JSON())}.of(ctx, d, db)
}

// queryLineage is the lineage of a query's rows, or without a query of all tables.
func queryLineage(ctx context.Context, d *dataset.Dataset, db *duck.DB, query string) ([]byte, error) {
	l := lineageFile{Query: query}
	if query != "" {
		l.SQLSHA256 = sha256Hex([]byte(query))
	}
	return l.of(ctx, d, db)
}

// of is the text of the file for a dataset.
func (l lineageFile) of(ctx context.Context, d *dataset.Dataset, db *duck.DB) ([]byte, error) {
	now, err := pipeline.CreationTime()
	if err != nil {
		return nil, err
	}
	l.DatasetID, l.SchemaVersion, l.ContractVersion = d.Lineage.DatasetID, d.Lineage.SchemaVersion, schema.Version
	l.CodeRevision, l.CreatedAt, l.Included, l.Excluded = codeRevision(), now, []string{}, []excludedRun{}
	err = db.Each(ctx, "SELECT run_id, excluded_by, study_faults() FROM runs ORDER BY run_id", func([]duck.Column) error { return nil }, func(row []duck.Value) error {
		l.Faults = row[2].Text
		if row[1].Kind == duck.Null {
			l.Included = append(l.Included, row[0].Text)
		} else {
			l.Excluded = append(l.Excluded, excludedRun{row[0].Text, row[1].Text})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(l, jsontext.WithIndent("  "))
	return append(b, '\n'), err
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

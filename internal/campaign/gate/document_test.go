package main

import (
	"bytes"
	"os"
	"testing"
)

// The published tables are what the command prints with its defaults.
func TestDocumentHoldsTheTables(t *testing.T) {
	document, err := os.ReadFile("../../../docs/validity.md")
	if err != nil {
		t.Fatal(err)
	}
	var tables bytes.Buffer
	if err := printTables(&tables, 10_000, 1); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(document, bytes.TrimSpace(tables.Bytes())) {
		t.Errorf("docs/validity.md, section Gate: have other tables, want those of `go run ./internal/campaign/gate`:\n%s", tables.Bytes())
	}
}

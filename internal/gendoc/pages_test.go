package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPages holds the committed pages to the lists.
func TestPages(t *testing.T) {
	for _, p := range Pages() {
		have, err := os.ReadFile(filepath.Join("..", "..", "docs", p.Name))
		if err != nil || !bytes.Equal(have, p.Text) {
			t.Errorf("docs/%s differs from its list (%v); run: make gen", p.Name, err)
		}
	}
}

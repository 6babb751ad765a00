package ingest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/klauspost/compress/zstd"
)

func sha256Hex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func zstdFrame(t testing.TB, text string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(text), nil)
}

func remove(t testing.TB, dir ingest.RunDir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir.Location(), name)); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, dir ingest.RunDir, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir.Location(), name), 0o777); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, dir ingest.RunDir, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir.Location(), name)); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

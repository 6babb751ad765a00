package ingest_test

import (
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

func TestWordsOfDamage(t *testing.T) {
	good := start() + finish(2)
	flipped := gzipMember(t, good)
	flipped[len(flipped)-6] ^= 0xff // in the CRC-32
	for _, c := range []struct{ name, file, text, have string }{
		// RFC 8878: magic number, frame header without a content size, window 2^31, an empty last block.
		{"a large window", ".zst", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", "a window beyond 64 MiB, as zstd --long makes"},
		{"a checksum", ".gz", string(flipped), "a checksum that does not fit"},
		{"trailing data", ".gz", string(gzipMember(t, good)) + "junk behind the end", "trailing data, or no compressed data at all"},
		{"a cut", ".zst", string(zstdFrame(t, good)[:20]), "an unexpected end"},
	} {
		run, _ := read(t, makeRun(t, schema.TrajectoryFile+c.file, c.text), ingest.Options{})
		if f := run.Findings[0]; f.Code != &schema.CompressionDamaged || f.Have != c.have {
			t.Errorf("%s: have %s %q, want compression_damaged %q", c.name, f.Code.Name, f.Have, c.have)
		}
	}
}

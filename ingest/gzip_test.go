package ingest_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

func gzipMember(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gunzipMembers returns the texts of the members of a .gz file, what follows
// them, and whether the last one is cut.
func gunzipMembers(t testing.TB, b []byte) (texts []string, rest []byte, cut bool) {
	t.Helper()
	in := bytes.NewReader(b)
	for in.Len() > 0 {
		before := in.Len()
		z, err := gzip.NewReader(in)
		if err != nil {
			return texts, b[len(b)-before:], false
		}
		z.Multistream(false)
		text, err := io.ReadAll(z)
		texts = append(texts, string(text))
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return texts, nil, true
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts, nil, false
}

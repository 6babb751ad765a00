package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// isEnvironment reports whether an error is no matter of the data: the same
// directory would be read without fault by a process with more room.
func isEnvironment(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// A source reads one file once, from start to end, and hashes what it hands on.
type source struct {
	file   *os.File
	before fs.FileInfo
	hash   hash.Hash
	bytes  int64
}

// open opens a regular file for its one read.
func (s *source) open(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	if s.before, err = f.Stat(); err != nil {
		f.Close()
		return err
	}
	if s.hash == nil {
		s.hash = sha256.New()
	}
	s.hash.Reset()
	s.file, s.bytes = f, 0
	return nil
}

// Read implements io.Reader. Behind the size that the file had when it was opened
// it does not ask the system for more: a file that grew is found by its size.
func (s *source) Read(p []byte) (int, error) {
	if s.bytes > 0 && s.bytes >= s.before.Size() {
		return 0, io.EOF
	}
	n, err := s.file.Read(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	return n, err
}

// close reads what is left, so that the hash is that of the whole file, and
// reports whether the file changed since it was opened.
func (s *source) close(scratch []byte) (f File, changed bool, err error) {
	defer s.file.Close()
	for err == nil {
		_, err = s.Read(scratch)
	}
	if !errors.Is(err, io.EOF) {
		return f, false, err
	}
	after, err := s.file.Stat()
	if err != nil {
		return f, false, err
	}
	f.Bytes = s.bytes
	f.SHA256 = hex.EncodeToString(s.hash.Sum(nil))
	changed = after.Size() != s.bytes || s.before.Size() != s.bytes || !after.ModTime().Equal(s.before.ModTime())
	return f, changed, nil
}

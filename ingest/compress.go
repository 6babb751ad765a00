package ingest

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindowBytes bounds the memory that a compressed file can ask for.
const maxWindowBytes = 64 << 20

// A decompressor reads .gz and .zst files and is reused between them.
type decompressor struct {
	input *bufio.Reader
	gzip  *gzip.Reader
	zstd  *zstd.Decoder
}

// A damage is a fault of a compressed stream.
type damage struct{ err error }

func (d damage) Error() string { return d.err.Error() }

// open returns the text of a file by the ending of its name. All members of a
// .gz file, and all frames of a .zst file, are one text.
func (d *decompressor) open(name string, r io.Reader) (io.Reader, error) {
	var err error
	switch {
	case strings.HasSuffix(name, ".gz"):
		if d.input == nil {
			d.input = bufio.NewReaderSize(nil, blockBytes)
		}
		d.input.Reset(r)
		if d.gzip == nil {
			d.gzip, err = gzip.NewReader(d.input)
		} else {
			err = d.gzip.Reset(d.input)
		}
		if err != nil {
			d.gzip = nil
			return nil, damage{unexpectedEnd(err)}
		}
		return damaged{d.gzip}, nil
	case strings.HasSuffix(name, ".zst"):
		if d.zstd == nil {
			d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
		}
		if err == nil {
			err = d.zstd.Reset(r)
		}
		if err != nil {
			return nil, damage{err}
		}
		return damaged{d.zstd}, nil
	}
	return r, nil
}

// damaged marks the errors of a decompressor.
type damaged struct{ r io.Reader }

// Read implements io.Reader.
func (d damaged) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = damage{err}
	}
	return n, err
}

func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// words says what is wrong with a compressed stream, and what was wanted.
func (d damage) words() (have, want string) {
	want = "whole compressed data"
	switch {
	case errors.Is(d.err, io.ErrUnexpectedEOF):
		return "an unexpected end", want
	case errors.Is(d.err, gzip.ErrHeader), errors.Is(d.err, zstd.ErrMagicMismatch):
		return "trailing data, or no compressed data at all", want
	case errors.Is(d.err, gzip.ErrChecksum), errors.Is(d.err, zstd.ErrCRCMismatch):
		return "a checksum that does not fit", want
	case errors.Is(d.err, zstd.ErrWindowSizeExceeded):
		return "a window beyond 64 MiB, as zstd --long makes", "a window of at most 64 MiB: compress it anew"
	}
	return d.err.Error(), want
}

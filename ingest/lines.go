package ingest

import (
	"bytes"
	"errors"
	"io"

	"github.com/assay-bench/assay/schema"
)

// MaxLineBytes is the longest line of a trajectory, and the largest document,
// that is read.
const MaxLineBytes = 64 << 20

const (
	// blockBytes is how much is read at a time.
	blockBytes = 256 << 10
	// keepBytes is how large a buffer may stay between two runs.
	keepBytes = 4 << 20
)

// A lineEnd says how a line ended.
type lineEnd int

const (
	// endNewline is a line with its newline.
	endNewline lineEnd = iota
	// endFile is a last line without one.
	endFile
	// endTooLong is a line beyond the bound; its bytes were read over.
	endTooLong
)

// lines cuts a stream into lines, with memory bounded by the longest line allowed.
type lines struct {
	r       io.Reader
	buf     []byte
	start   int // of the line at hand
	scanned int // no newline before here
	end     int // of what was read
	line    int64
	offset  int64
	maximum int
	done    bool
}

func (l *lines) reset(r io.Reader) {
	if len(l.buf) == 0 || len(l.buf) > keepBytes {
		l.buf = make([]byte, blockBytes)
	}
	*l = lines{r: r, buf: l.buf, maximum: l.maximum}
	if l.maximum == 0 {
		l.maximum = MaxLineBytes
	}
}

// next returns the next line without its end. The error is io.EOF behind the
// last line, or that of the stream. The line is overwritten by the next call.
func (l *lines) next() ([]byte, schema.Position, lineEnd, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.scanned:l.end], '\n'); i >= 0 {
			return l.cut(l.scanned+i, 1, endNewline)
		}
		l.scanned = l.end
		if l.done {
			if l.start == l.end {
				return nil, schema.Position{}, 0, io.EOF
			}
			return l.cut(l.end, 0, endFile)
		}
		if l.end-l.start > l.maximum {
			return l.skip()
		}
		if err := l.fill(); err != nil {
			return nil, schema.Position{}, 0, err
		}
	}
}

// cut returns the line up to end and steps over its newline.
func (l *lines) cut(end, newline int, how lineEnd) ([]byte, schema.Position, lineEnd, error) {
	line := l.buf[l.start:end]
	l.line++
	p := schema.Position{Line: l.line, Offset: l.offset, Length: int64(len(line))}
	l.offset += int64(len(line) + newline)
	l.start = end + newline
	l.scanned = l.start
	if len(line) > l.maximum {
		return nil, p, endTooLong, nil
	}
	return line, p, how, nil
}

// skip reads over the rest of a line that is too long.
func (l *lines) skip() ([]byte, schema.Position, lineEnd, error) {
	l.line++
	p := schema.Position{Line: l.line, Offset: l.offset}
	for {
		i := bytes.IndexByte(l.buf[l.scanned:l.end], '\n')
		if i >= 0 {
			i += l.scanned
			p.Length += int64(i - l.start)
			l.start, l.scanned = i+1, i+1
			l.offset += p.Length + 1
			return nil, p, endTooLong, nil
		}
		p.Length += int64(l.end - l.start)
		l.start, l.scanned, l.end = 0, 0, 0
		if l.done {
			l.offset += p.Length
			return nil, p, endTooLong, nil
		}
		if err := l.fill(); err != nil {
			return nil, p, 0, err
		}
	}
}

// fill reads one block behind what is there, and makes room for it first.
func (l *lines) fill() error {
	if l.start > 0 && (l.start == l.end || l.end == len(l.buf)) {
		n := copy(l.buf, l.buf[l.start:l.end])
		l.start, l.scanned, l.end = 0, l.scanned-l.start, n
	}
	if l.end == len(l.buf) {
		grown := make([]byte, min(2*len(l.buf), l.maximum+blockBytes))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	if errors.Is(err, io.EOF) {
		l.done = true
		return nil
	}
	return err
}

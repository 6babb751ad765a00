package schema

import simd "github.com/segmentio/asm/utf8"

// A beginning is how the lines of one run begin, byte for byte: its version and
// its id up to the value of seq. Nearly every line begins as the one before, so
// that a comparison stands for reading it.
type beginning struct {
	text           []byte
	version, runID string
}

// The places of the fields of a beginning among those of the envelope.
const (
	versionPlace = 0
	runIDPlace   = 1
	seqPlace     = 2
	// begun holds the bits of the two fields in front of seq.
	begun = 1<<versionPlace | 1<<runIDPlace
)

// begins reads a line up to the value of seq where it begins as the last one.
func (d *EventDecoder) begins() bool {
	n := len(d.same.text)
	if n == 0 || d.i != 0 || len(d.b) < n || alias(d.b[:n]) != alias(d.same.text) {
		return false
	}
	d.i, d.depth = n, 1
	d.envelope.SchemaVersion, d.envelope.RunID = d.same.version, d.same.runID
	return true
}

// learn keeps how a line without fault begins, n bytes of it, which the lines that
// begin as it does are not asked again to be: UTF-8, for one.
func (d *EventDecoder) learn(n int) {
	if n == 0 || len(d.found) > 0 || d.secret || !simd.Valid(d.b[:n]) {
		return
	}
	text := append([]byte(nil), d.b[:n]...)
	d.same = beginning{text: text, version: string([]byte(d.envelope.SchemaVersion)), runID: string([]byte(d.envelope.RunID))}
}

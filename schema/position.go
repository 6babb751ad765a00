package schema

// A Position is where an event stands in its trajectory, counted in the
// uncompressed text.
type Position struct {
	// Line is the line, from 1.
	Line int64
	// Offset is the byte at which the line begins, from 0.
	Offset int64
	// Length is the number of bytes of the line, without its end.
	Length int64
}

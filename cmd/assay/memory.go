package main

import (
	"os"
	"runtime/debug"
)

// collectOften trades a little processor time for a lower peak of memory, for commands
// whose memory mostly stays: row groups until they are full, indexes once built. It
// returns what undoes it. Who sets GOGC decides instead.
func collectOften() (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(50)
	return func() { debug.SetGCPercent(before) }
}

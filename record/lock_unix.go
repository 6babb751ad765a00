//go:build unix

package record

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file or directory until it is closed or this process ends, however it
// ends, and reports false where another one holds it; with wait it waits for that one.
// A file system without locks refuses nobody.
func lock(f *os.File, wait bool) bool {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return !errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}

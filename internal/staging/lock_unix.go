//go:build unix

package staging

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed or this process ends.
func lockFile(file *os.File) lockState {
	switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case err == nil:
		return lockMine
	case errors.Is(err, syscall.EWOULDBLOCK):
		return lockOfAnother
	default:
		return lockNone
	}
}

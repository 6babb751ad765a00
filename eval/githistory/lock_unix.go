//go:build unix

package githistory

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the lock file at path, or says that a living process holds it. The system frees the lock when its
// holder ends, however it ends, so that what a killed process left behind can be told from what is in use.
func lock(path string) (file *os.File, held bool, err error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, false, err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			file.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, true, nil
			}
			return nil, false, err
		}
		// the last holder may have removed the file between the two calls: then this lock guards nothing
		mine, err := file.Stat()
		if err == nil {
			if current, statErr := os.Stat(path); statErr == nil && os.SameFile(mine, current) {
				return file, false, nil
			}
		}
		file.Close()
		if err != nil {
			return nil, false, err
		}
	}
}

//go:build unix

package capture

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock that ends with the process, or says at once that another process has it.
func tryLock(path string) (unlock func(), ok bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, false, nil
		}
		return nil, false, err
	}
	return func() { file.Close() }, true, nil
}

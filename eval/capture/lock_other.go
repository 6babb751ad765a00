//go:build !unix

package capture

import (
	"errors"
	"os"
)

// tryLock takes a lock file that no other process has, or says at once that there is one.
func tryLock(path string) (unlock func(), ok bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return func() { file.Close(); os.Remove(path) }, true, nil
}

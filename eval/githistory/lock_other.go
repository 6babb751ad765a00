//go:build !unix

package githistory

import (
	"errors"
	"os"
)

// lock takes the lock file at path, or says that it exists. Without locks that end with their holder, a file left
// by a killed process has to be removed by hand.
func lock(path string) (file *os.File, held bool, err error) {
	file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, true, nil
	}
	return file, false, err
}

package githistory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// NewOut makes a new folder for the raw results of one evaluation below a cache folder: the place where they go
// when no other is named.
func NewOut(cacheDir string) (string, error) {
	dir := filepath.Join(exportsDir(cacheDir), "experiments")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		out := filepath.Join(dir, fmt.Sprintf("%04d", n))
		switch err := os.Mkdir(out, 0o755); {
		case err == nil:
			return out, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
}

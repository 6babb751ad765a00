package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/internal/staging"
)

// stagingPrefix begins the name of a folder that is not yet a dataset.
const stagingPrefix = ".assay-staging-"

// A Staging is a folder beside the datasets in which the next one is made, so
// that a reader sees the old dataset or the whole new one.
type Staging struct {
	// Dir is the folder to write into.
	Dir string
	out string
	// made is the topmost folder that Stage had to make, or empty.
	made string
	// claim says that the folder is in use for as long as this process lives.
	claim *staging.Claim
}

// Stage makes a staging folder in out, which is made where it does not exist. What
// a process that was killed left there is removed first.
func Stage(out string) (*Staging, error) {
	made, err := makeFolders(out)
	if err != nil {
		return nil, err
	}
	staging.Sweep(out, stagingPrefix)
	c, err := staging.New(out, stagingPrefix)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(c.Folder, 0o755); err != nil {
		return nil, errors.Join(err, c.Release())
	}
	return &Staging{Dir: c.Folder, out: out, made: made, claim: c}, os.Chmod(c.Folder, 0o755)
}

// makeFolders is MkdirAll that returns the topmost folder it made.
func makeFolders(dir string) (made string, err error) {
	for p := filepath.Clean(dir); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = p
	}
	return made, os.MkdirAll(dir, 0o755)
}

// Discard removes the staging folder, and the folders that Stage made while
// they are empty. After Publish it does nothing.
func (s *Staging) Discard() error {
	if s.Dir == "" {
		return nil
	}
	err := errors.Join(os.RemoveAll(s.Dir), s.claim.Release())
	if s.made != "" {
		for p := filepath.Clean(s.out); ; p = filepath.Dir(p) {
			if os.Remove(p) != nil || p == s.made {
				break
			}
		}
	}
	s.Dir = ""
	return err
}

// Publish flushes the files to disk and renames the staging folder to its name
// in out. A dataset that is there under the name is replaced.
func (s *Staging) Publish(name string) (string, error) {
	if err := syncTree(s.Dir); err != nil {
		return "", err
	}
	target := filepath.Join(s.out, name)
	old, err := setAside(target, s.claim)
	if err != nil {
		return "", err
	}
	if err := os.Rename(s.Dir, target); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, target))
		}
		return "", err
	}
	s.Dir = ""
	if old != "" {
		if err := os.RemoveAll(old); err != nil {
			return "", err
		}
	}
	return target, errors.Join(s.claim.Release(), syncFile(s.out))
}

// setAside renames what stands under a name, since a folder that is not empty
// cannot be replaced in one step.
func setAside(target string, c *staging.Claim) (old string, err error) {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if !isDataset(target) {
		return "", fmt.Errorf("%s: have something that is no dataset, want a free name", target)
	}
	old = c.Aside(filepath.Base(target))
	return old, os.Rename(target, old)
}

func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncFile(path)
	})
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Package staging makes folders in which something is written before it takes its
// place with one rename, and removes those of processes that were killed meanwhile.
//
// A Claim is a locked file beside such a folder. The system frees the lock when its
// holder ends, however it ends: so what a killed process left behind is told from
// what another process is writing at this moment. A folder without such a file is
// nobody's to remove.
package staging

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Claim is a name for a staging folder that no other process has.
type Claim struct {
	// Folder is what is claimed; the lock and what is set aside have names that
	// begin like it. It is not made yet.
	Folder string
	file   *os.File
}

// What follows the name of a claimed folder in the names beside it.
const (
	lockSuffix  = ".lock"
	asideSuffix = ".was-"
)

// lockState is what came of locking a file.
type lockState int

// The three of them. Where the system or the file system has no locks nothing can
// be told of a process, so that nothing is swept.
const (
	lockMine lockState = iota
	lockOfAnother
	lockNone
)

// New claims a new name that begins with prefix in out.
func New(out, prefix string) (*Claim, error) {
	for {
		file, err := os.CreateTemp(out, prefix+"*"+lockSuffix)
		if err != nil {
			return nil, err
		}
		c := &Claim{strings.TrimSuffix(file.Name(), lockSuffix), file}
		if locked := lockFile(file); locked == lockNone || locked == lockMine && c.stands() {
			return c, nil
		}
		file.Close() // swept between its making and its locking
	}
}

// stands says that the locked file is still the one of its name: a lock on a file
// that another process has removed guards nothing.
func (c *Claim) stands() bool {
	mine, err := c.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(c.file.Name())
	return err == nil && os.SameFile(mine, there)
}

// Aside is where what is being replaced under a name stands meanwhile.
func (c *Claim) Aside(name string) string { return c.Folder + asideSuffix + name }

// Release gives up the claim, once there is nothing more to claim.
func (c *Claim) Release() error {
	err := c.file.Close()
	if gone := os.Remove(c.file.Name()); !errors.Is(gone, fs.ErrNotExist) { // swept in between
		err = errors.Join(err, gone)
	}
	return err
}

// Sweep removes the staging folders of a prefix in out whose process has ended, and
// puts back what was set aside and not replaced. What cannot be removed stays: it
// harms nobody.
func Sweep(out, prefix string) {
	locks, err := filepath.Glob(filepath.Join(escaped(out), escaped(prefix)+"*"+lockSuffix))
	if err != nil {
		return
	}
	for _, name := range locks {
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		c := &Claim{strings.TrimSuffix(name, lockSuffix), file}
		if lockFile(file) != lockMine || !c.stands() || c.clear() != nil {
			file.Close()
			continue
		}
		c.Release()
	}
}

// clear removes what a claim was for.
func (c *Claim) clear() error {
	set, err := filepath.Glob(escaped(c.Aside("")) + "*")
	if err != nil {
		return err
	}
	for _, old := range set {
		target := filepath.Join(filepath.Dir(c.Folder), strings.TrimPrefix(old, c.Aside("")))
		if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
			if err := os.Rename(old, target); err != nil {
				return err
			}
		} else if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	return os.RemoveAll(c.Folder)
}

// escaped is a path as a pattern that matches nothing else.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

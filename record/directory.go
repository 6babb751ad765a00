package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// createDirectory makes a new directory under root, exclusively, and returns it.
// No name outside root can be reached, not even over a link. Until task is closed
// no other writer makes or sets aside a run of the same task: a directory is never
// taken for unfinished before its writer has locked the trajectory.
func createDirectory(root, run string, o Options) (dir *os.Root, task *os.File, err error) {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, nil, err
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	if err := r.MkdirAll(path.Dir(run), 0o777); err != nil {
		return nil, nil, err
	}
	if task, err = r.Open(path.Dir(run)); err != nil {
		return nil, nil, err
	}
	lock(task, true)
	if dir, err = makeDirectory(r, run, o); err != nil {
		task.Close()
		return nil, nil, err
	}
	return dir, task, nil
}

func makeDirectory(r *os.Root, run string, o Options) (*os.Root, error) {
	err := r.Mkdir(run, 0o777)
	if errors.Is(err, fs.ErrExist) && o.Retry {
		if err = setAside(r, run); err == nil {
			err = r.Mkdir(run, 0o777)
		}
	} else if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s: have a run directory, want none: a run is never overwritten (retry sets an unfinished one aside): %w", run, fs.ErrExist)
	}
	if err != nil {
		return nil, err
	}
	if o.Durability == Durable {
		for dir := path.Dir(run); ; dir = path.Dir(dir) {
			if err := syncDirectory(r, dir); err != nil {
				return nil, err
			}
			if dir == "." {
				break
			}
		}
	}
	return r.OpenRoot(run)
}

// setAside renames an unfinished run directory to <run_id>.unfinished-<n>.
func setAside(r *os.Root, run string) error {
	done, err := isFinished(r, run)
	if err != nil {
		return err
	}
	if done {
		return fmt.Errorf("%s: have a finished run, want an unfinished one: a finished run is never repeated under its id", run)
	}
	for n := 1; ; n++ {
		name := run + schema.UnfinishedSuffix + strconv.Itoa(n)
		if _, err := r.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return r.Rename(run, name)
		} else if err != nil {
			return err
		}
	}
}

// isFinished reports whether a trajectory holds run_finished. A compressed one
// counts as finished: this package writes none, somebody has packed it. One that is
// being written is an error.
func isFinished(r *os.Root, run string) (bool, error) {
	for _, suffix := range []string{".gz", ".zst"} {
		if _, err := r.Lstat(path.Join(run, schema.TrajectoryFile+suffix)); err == nil {
			return true, nil
		}
	}
	f, err := r.Open(path.Join(run, schema.TrajectoryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if !lock(f, false) {
		return false, fmt.Errorf("%s: have a run that is being recorded, want one whose writer has ended", run)
	}
	lines, decoder := bufio.NewReaderSize(f, 1<<20), schema.NewEventDecoder()
	for {
		line, err := lines.ReadBytes('\n')
		if e, _ := decoder.Decode(line); e != nil && e.Type == &schema.EventRunFinished {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

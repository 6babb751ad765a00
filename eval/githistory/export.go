package githistory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// snapshot is the tree of one commit on disk, as the tools see it, with the history before it.
type snapshot struct {
	// root is the folder; it has the same length for the same repository and commit on one machine.
	root string
	// commit is the base that it shows.
	commit string
	// entries is its tree, in git's order, without what cannot be written.
	entries []Entry
	// paths are those that can be an answer.
	paths pathSet
	// sizes is the bytes of each path, by its compared form.
	sizes map[string]int
	// past is the history that the tools may use, newest first.
	past []past
	// cut is true where the clone is shallow and ends before the history that was asked for.
	cut bool
	// flattened counts the links that point out of the tree and are files with the target as their content.
	flattened int

	lock *os.File
}

// past is one earlier commit that is no merge.
type past struct {
	subject string
	files   []string // paths of the tree of base that it touched, in their compared form
}

// shortID is the length of the commit id in the export's path.
const shortID = 12

// lockSuffix makes the name of an export's lock from that of its folder.
const lockSuffix = ".lock"

var exportName = regexp.MustCompile(`^[0-9a-f]{12}$`)

// exportsDir is where exports stand below a cache folder.
func exportsDir(cacheDir string) string { return filepath.Join(cacheDir, "assay") }

// sweep removes the exports that a killed process left behind; those of living processes stay.
func sweep(cacheDir string) error {
	dir := exportsDir(cacheDir)
	found, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range found {
		if !exportName.MatchString(entry.Name()) {
			continue
		}
		lockPath := filepath.Join(dir, entry.Name()+lockSuffix)
		file, held, err := lock(lockPath)
		if err != nil {
			return err
		}
		if held {
			continue
		}
		err = errors.Join(removeAll(filepath.Join(dir, entry.Name())), os.Remove(lockPath), file.Close())
		if err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes a folder even where a tool took away the right to write in it.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// export writes the tree of commit and its history. What it wrote is gone again when it fails.
func (r *repository) export(ctx context.Context, opts Options, commit string, entries []Entry) (_ *snapshot, err error) {
	dir := filepath.Join(exportsDir(opts.CacheDir), commit[:shortID])
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	lockFile, held, err := lock(dir + lockSuffix)
	if err != nil {
		return nil, err
	}
	if held {
		return nil, fmt.Errorf("%s: in use by another evaluation of the same commit: wait for its end, or give another cache folder", dir)
	}
	s := &snapshot{root: filepath.Join(dir, repoName(r, opts.RepoName)), commit: commit, lock: lockFile, sizes: map[string]int{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := removeAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.root, 0o755); err != nil {
		return nil, err
	}
	// tools print the path that the system gives them, without links
	if s.root, err = filepath.EvalSymlinks(s.root); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.retrievable() {
			s.entries = append(s.entries, e)
		}
	}
	s.paths = newPathSet(s.entries)
	if err := s.writeTree(ctx, r); err != nil {
		return nil, err
	}
	if opts.History >= 0 {
		err = s.writeHistory(ctx, r, opts.History)
	}
	return s, err
}

// close removes the export and frees its lock.
func (s *snapshot) close() error {
	dir := strings.TrimSuffix(s.lock.Name(), lockSuffix)
	return errors.Join(removeAll(dir), os.Remove(s.lock.Name()), s.lock.Close())
}

// writeTree writes every file with the bytes as git stores them, through a handle that no path can leave.
func (s *snapshot) writeTree(ctx context.Context, r *repository) error {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	seconds, err := r.graph(ctx, s.commit, "", 1)
	if err != nil {
		return err
	}
	at := time.Unix(seconds[0].time, 0) // the same on every run, and nothing later than base
	ids := make([]string, len(s.entries))
	for i, e := range s.entries {
		ids[i] = e.ID
	}
	made := map[string]bool{".": true}
	return r.objects(ctx, ids, func(i int, data []byte) error {
		e := s.entries[i]
		s.sizes[compared(e.Path)] = len(data)
		if err := s.write(root, made, e, data, at); err != nil {
			return fmt.Errorf("export of %s: %q: %w", s.commit, e.Path, err)
		}
		return nil
	})
}

// write writes one entry.
func (s *snapshot) write(root *os.Root, made map[string]bool, e Entry, data []byte, at time.Time) error {
	for segment := range strings.SplitSeq(e.Path, "/") {
		if strings.EqualFold(segment, ".git") {
			return errors.New("have a .git inside a tree, which git itself refuses to write")
		}
	}
	name := filepath.FromSlash(e.Path)
	if dir := filepath.Dir(name); !made[dir] {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		made[dir] = true
	}
	mode := os.FileMode(0o644)
	switch e.Kind {
	case Executable:
		mode = 0o755
	case Link:
		if inside(e.Path, string(data)) {
			return root.Symlink(string(data), name)
		}
		s.flattened++
	}
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close(), root.Chtimes(name, at, at))
}

// inside says whether a link at a path of the tree leads to a place in the tree. Its parents are real folders, so
// ".." at the beginning means what it says; further on it could climb out through another link.
func inside(link, target string) bool {
	if target == "" || path.IsAbs(target) || filepath.IsAbs(target) || strings.Contains(target, "\\") {
		return false
	}
	climbed, down := 0, false
	for segment := range strings.SplitSeq(target, "/") {
		switch {
		case segment == "" || segment == ".":
		case segment == "..":
			if down {
				return false
			}
			climbed++
		case strings.EqualFold(segment, ".git"):
			return false
		default:
			down = true
		}
	}
	return climbed <= strings.Count(link, "/")
}

// writeHistory makes the export a repository of its own, which holds the last commits up to base and nothing else:
// no other ref, no reflog, no alternate, no object that base does not reach.
func (s *snapshot) writeHistory(ctx context.Context, r *repository, limit int) error {
	nodes, err := r.graph(ctx, s.commit, "", limit)
	if err != nil {
		return err
	}
	boundary := below(nodes)
	if len(nodes) == 0 { // a history of 0 commits is base alone
		boundary = []string{s.commit}
	}
	if err := runOwn(ctx, s.root, nil, "init", "--quiet", "--template=", "--initial-branch=main", "--object-format="+r.format); err != nil {
		return err
	}
	if err := s.copyObjects(ctx, r, boundary); err != nil {
		return err
	}
	gitDir := filepath.Join(s.root, ".git")
	for _, n := range nodes {
		if r.shallow[n.id] {
			s.cut = true
			boundary = append(boundary, n.id)
		}
	}
	if len(boundary) > 0 {
		if err := os.WriteFile(filepath.Join(gitDir, "shallow"), []byte(strings.Join(boundary, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	ref := filepath.Join(gitDir, "refs", "heads", "main")
	if err := os.WriteFile(ref, []byte(s.commit+"\n"), 0o644); err != nil {
		return err
	}
	if err := runOwn(ctx, s.root, nil, "read-tree", "HEAD"); err != nil {
		return err
	}
	return s.readPast(ctx, r, nodes)
}

// below lists the parents of the commits of a history that are not in it: they stay, without their own parents,
// so that every commit of the history has all of its parents.
func below(nodes []node) []string {
	in := map[string]bool{}
	for _, n := range nodes {
		in[n.id] = true
	}
	var boundary []string
	for _, n := range nodes {
		for _, parent := range n.parents {
			if !in[parent] {
				in[parent] = true
				boundary = append(boundary, parent)
			}
		}
	}
	return boundary
}

// copyObjects streams a pack from the user's repository, which is only read, into the export's.
func (s *snapshot) copyObjects(ctx context.Context, r *repository, boundary []string) error {
	reader, writer := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := r.pack(ctx, s.commit, boundary, writer)
		writer.CloseWithError(err)
		packed <- err
	}()
	err := runOwn(ctx, s.root, reader, "index-pack", "--stdin")
	reader.CloseWithError(err)
	if packErr := <-packed; packErr != nil && ctx.Err() == nil {
		if r.partial || len(r.shallow) > 0 {
			return fmt.Errorf("%w: %w", r.lacking("the history of "+s.commit), packErr)
		}
		return packErr
	}
	return err
}

// readPast reads what the earlier commits changed, for the tools that look at history.
func (s *snapshot) readPast(ctx context.Context, r *repository, nodes []node) error {
	var whole []node
	for _, n := range nodes {
		if !r.shallow[n.id] {
			whole = append(whole, n)
		}
	}
	commits, err := questions(ctx, r, whole)
	if err != nil {
		return err
	}
	for _, c := range commits {
		entry := past{subject: c.subject}
		for _, change := range c.changes {
			if _, ok := s.paths[compared(change.path)]; ok {
				entry.files = append(entry.files, compared(change.path))
			}
		}
		s.past = append(s.past, entry)
	}
	return nil
}

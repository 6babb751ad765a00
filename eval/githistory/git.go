package githistory

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/eval/command"
)

// repository is the one door to git. It runs plumbing commands only, so that no alias, pager, hook, filter,
// external diff or display setting of the user takes part, and none that takes a lock or writes.
type repository struct {
	// dir is the top of the work tree, or the bare repository itself: where every command runs.
	dir string
	// gitDir is this work tree's own git directory, absolute.
	gitDir string
	// commonDir is the git directory that all work trees of the repository share, absolute.
	commonDir string
	// format is the object format: sha1 or sha256.
	format string
	// shallow holds the commits whose parents this clone does not have.
	shallow map[string]bool
	// partial is true for a clone that was made with a filter.
	partial bool
}

// environment is what a git command sees of os.Environ: nothing that redirects git to another repository,
// object store or index. The user's configuration files stay in place, because safe.directory is there; what
// else they say has no effect on the commands used here.
func environment(environ []string) []string {
	var kept []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		switch {
		case strings.HasPrefix(name, "GIT_CONFIG"), name == "GIT_EXEC_PATH", name == "GIT_TEST_ASSUME_DIFFERENT_OWNER":
		case strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "LC_"), name == "LANG", name == "LANGUAGE":
			continue
		}
		kept = append(kept, pair)
	}
	return append(kept,
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE="+os.DevNull,
		"GIT_TERMINAL_PROMPT=0",
		// A partial clone must not fetch: the first says so to git 2.45 and newer, the second to all.
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
	)
}

// ownEnvironment is for the export's repository, which is ours: no configuration but its own.
func ownEnvironment(environ []string) []string {
	return append(environment(environ), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_COUNT=0")
}

// gitCommand is git with args in dir.
func gitCommand(ctx context.Context, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--literal-pathspecs"}, args...)...)
	cmd.Dir = dir
	cmd.Env = environment(os.Environ())
	command.Group(cmd) // an interrupt of the terminal reaches this process alone, which ends its children itself
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// gitError is what git said, whole: its refusals name the remedy.
func gitError(args []string, stderr string, err error) error {
	said := strings.TrimSpace(stderr)
	if said == "" {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return fmt.Errorf("git %s: %s", args[0], said)
}

// run returns the output of one git command in dir, with input on standard input.
func run(ctx context.Context, dir string, input io.Reader, args ...string) ([]byte, error) {
	cmd, stderr := gitCommand(ctx, dir, args...)
	cmd.Stdin = input
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, gitError(args, stderr.String(), err)
	}
	return out, nil
}

func (r *repository) run(ctx context.Context, args ...string) ([]byte, error) {
	return run(ctx, r.dir, nil, args...)
}

// open finds the repository that path belongs to. What git refuses (another owner, no repository) is the error.
func open(ctx context.Context, path string) (*repository, error) {
	if info, err := os.Stat(path); err != nil { // git would be blamed for a folder that is not there
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s: have a file, want the folder of a repository", path)
	}
	line := func(args ...string) (string, error) {
		out, err := run(ctx, path, nil, args...)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	gitDir, err := line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := &repository{gitDir: gitDir, dir: gitDir, shallow: map[string]bool{}}
	if bare, err := line("rev-parse", "--is-bare-repository"); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	} else if bare == "false" {
		if r.dir, err = line("rev-parse", "--show-toplevel"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if r.commonDir, err = line("rev-parse", "--path-format=absolute", "--git-common-dir"); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.format, err = line("rev-parse", "--show-object-format"); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := r.readShallow(ctx); err != nil {
		return nil, err
	}
	r.partial = r.hasPromisor(ctx)
	return r, nil
}

// readShallow reads the list of commits whose parents the clone lacks.
func (r *repository) readShallow(ctx context.Context) error {
	out, err := r.run(ctx, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return err
	}
	path := strings.TrimSuffix(string(out), "\n")
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, id := range strings.Fields(string(text)) {
		r.shallow[id] = true
	}
	return err
}

// hasPromisor is true where some remote promises objects that this clone left out.
func (r *repository) hasPromisor(ctx context.Context) bool {
	out, err := r.run(ctx, "config", "--get-regexp", `^(remote\..*\.promisor|extensions\.partialclone)$`)
	return err == nil && len(out) > 0
}

// lacking is the error for something that the clone does not hold, with the remedy.
func (r *repository) lacking(what string) error {
	switch {
	case len(r.shallow) > 0:
		return fmt.Errorf("%s: not in this clone, which is shallow: run `git fetch --unshallow`", what)
	case r.partial:
		return fmt.Errorf("%s: not in this clone, which is partial: run `git fetch --refetch --no-filter` (and `git fetch --unshallow` where it is shallow too)", what)
	}
	return fmt.Errorf("%s: not in this repository, whose history may be shorter: want a commit of it, such as HEAD~20", what)
}

// resolve gives the commit id of a revision.
func (r *repository) resolve(ctx context.Context, rev string) (string, error) {
	out, err := r.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", r.lacking(rev)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// node is one commit of the graph, before its message is read.
type node struct {
	id      string
	time    int64 // committer time, seconds
	parents []string
}

// graph lists commits reachable from one and not from another (empty: none), in git's order, newest first; at most
// limit of them where it is not negative.
func (r *repository) graph(ctx context.Context, from, without string, limit int) ([]node, error) {
	args := []string{"rev-list", "--parents", "--timestamp", "--max-count=" + strconv.Itoa(limit), "--end-of-options", from}
	if without != "" {
		args = append(args, "^"+without)
	}
	out, err := r.run(ctx, args...)
	if err != nil {
		if len(r.shallow) > 0 || r.partial {
			return nil, fmt.Errorf("%w: %w", r.lacking("history of "+from), err)
		}
		return nil, err
	}
	var nodes []node
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return nil, fmt.Errorf("git rev-list: have line %q, want a time and commit ids", line)
		}
		seconds, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git rev-list: have time %q, want seconds", fields[0])
		}
		nodes = append(nodes, node{id: fields[1], time: seconds, parents: fields[2:]})
	}
	return nodes, nil
}

// changes lists what each commit changed against its only parent, without rename or copy detection. A commit
// without a parent is compared with nothing; the caller keeps shallow commits away.
func (r *repository) changes(ctx context.Context, ids []string) (map[string][]change, error) {
	out, err := run(ctx, r.dir, strings.NewReader(strings.Join(ids, "\n")+"\n"),
		"diff-tree", "--stdin", "--always", "--root", "-r", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=none")
	if err != nil {
		return nil, err
	}
	return parseChanges(out)
}

// tree lists the whole tree of a commit.
func (r *repository) tree(ctx context.Context, commit string) ([]Entry, error) {
	out, err := r.run(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	return parseTree(out)
}

// objects hands over the raw bytes of each object in the order of ids: no filter, no line-end conversion.
func (r *repository) objects(ctx context.Context, ids []string, each func(i int, data []byte) error) error {
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"cat-file", "--batch", "--buffer"}
	cmd, stderr := gitCommand(ctx, r.dir, args...)
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	in := bufio.NewReaderSize(pipe, 1<<16)
	for i, id := range ids {
		data, err := readObject(in, id)
		if err != nil {
			cancel()
			cmd.Wait()
			if ctxErr := context.Cause(ctx); ctxErr != nil && !errors.Is(ctxErr, context.Canceled) {
				return ctxErr
			}
			if errors.Is(err, errMissing) || r.partial || len(r.shallow) > 0 {
				return r.lacking("object " + id)
			}
			return gitError(args, stderr.String(), err)
		}
		if err := each(i, data); err != nil {
			cancel()
			cmd.Wait()
			return err
		}
	}
	if err := cmd.Wait(); err != nil {
		return gitError(args, stderr.String(), err)
	}
	return nil
}

// errMissing is cat-file's word for an object that is not there.
var errMissing = errors.New("missing")

// readObject reads one answer of cat-file --batch.
func readObject(in *bufio.Reader, id string) ([]byte, error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", id, err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, fmt.Errorf("object %s: %w", id, errMissing)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || fields[0] != id {
		return nil, fmt.Errorf("object %s: have %q, want its type and size", id, head)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, fmt.Errorf("object %s: %w", id, err)
	}
	return data[:size], nil
}

// patch is the line changes between two trees for some paths, with no context lines. Attributes and drivers of
// the user have no say: every file is text, no conversion is run, and the algorithm is named.
func (r *repository) patch(ctx context.Context, from, to string, paths []string) ([]byte, error) {
	args := []string{"diff-tree", "-r", "-p", "--unified=0", "--inter-hunk-context=0", "--text", "--no-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all", "--diff-algorithm=myers",
		"--no-indent-heuristic", "--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", from, to, "--"}
	return r.run(ctx, append(args, paths...)...)
}

// pack writes the objects reachable from base to w, cut below the commits of boundary, whose parents are left out.
func (r *repository) pack(ctx context.Context, base string, boundary []string, w io.Writer) error {
	var input strings.Builder
	for _, id := range boundary {
		input.WriteString("--shallow " + id + "\n")
	}
	input.WriteString(base + "\n")
	args := []string{"pack-objects", "--stdout", "--revs", "--shallow", "--delta-base-offset", "-q"}
	cmd, stderr := gitCommand(ctx, r.dir, args...)
	cmd.Stdin, cmd.Stdout = strings.NewReader(input.String()), w
	if err := cmd.Run(); err != nil {
		return gitError(args, stderr.String(), err)
	}
	return nil
}

// runOwn runs git in a repository of ours, with no configuration but its own.
func runOwn(ctx context.Context, dir string, input io.Reader, args ...string) error {
	cmd, stderr := gitCommand(ctx, dir, args...)
	cmd.Env = append(ownEnvironment(os.Environ()), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	cmd.Stdin = input
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return gitError(args, stderr.String(), err)
	}
	return nil
}

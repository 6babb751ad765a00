package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

// A sourceTree is a repository that never was, the same bytes for the same
// numbers: functions of Go and Python whose words follow Zipf's law, and commits
// that change three files each under a subject with words of one of them.
type sourceTree struct {
	files     int
	functions int // a file; one is about 220 bytes
	commits   int // after the first, which adds the files
}

const vocabulary = 20_000

func (s sourceTree) zipf(stream uint64) (*rand.Rand, *rand.Zipf) {
	r := rand.New(rand.NewPCG(3, stream))
	return r, rand.NewZipf(r, 1.1, 8, vocabulary)
}

func (s sourceTree) path(i int) string {
	return fmt.Sprintf("pkg%d/file%d.%s", i%100, i, [2]string{"go", "py"}[i%2])
}

// content is that of file i after so many changes.
func (s sourceTree) content(i, changes int) []byte {
	_, z := s.zipf(uint64(i)<<16 + uint64(changes) + 1)
	var b bytes.Buffer
	if i%2 == 0 {
		fmt.Fprintf(&b, "package p%d\n\n", i%100)
	}
	for j := range s.functions {
		doc, item, by, from := z.Uint64(), z.Uint64(), z.Uint64(), z.Uint64()
		if i%2 == 0 {
			fmt.Fprintf(&b, "// handle%dRequest%d keeps item word%d.\nfunc handle%dRequest%d(ctx context.Context, word%d int) error {\n\tif err := store%d.Put(ctx, word%d); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\n",
				i, j, doc, i, j, item, by, from)
		} else {
			fmt.Fprintf(&b, "def handle_%d_request_%d(ctx, word%d):\n    \"\"\"Keep item word%d.\"\"\"\n    for key, value in store%d.items():\n        if value != ctx.get(word%d, key):\n            raise KeyError(key)\n    return True\n\n\n",
				i, j, item, doc, by, from)
		}
	}
	return b.Bytes()
}

// subject is that of commit n, and the files that it changes.
func (s sourceTree) subject(n int) (string, []int) {
	r, z := s.zipf(uint64(1)<<40 + uint64(n))
	i := r.IntN(s.files)
	return fmt.Sprintf("Keep handle%dRequest%d from losing item word%d", i, r.IntN(s.functions), z.Uint64()), []int{i, (i + 1) % s.files, r.IntN(s.files)}
}

// size is the number of bytes of all files at the start.
func (s sourceTree) size() (bytes int) {
	for i := range s.files {
		bytes += len(s.content(i, 0))
	}
	return bytes
}

// make writes the repository unless it is there already.
func (s sourceTree) make(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := dir + ".making"
	if err := os.RemoveAll(temp); err != nil {
		return err
	}
	if out, err := exec.Command("git", "init", "-q", "-b", "main", temp).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	cmd := exec.Command("git", "-C", temp, "fast-import", "--quiet")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := errors.Join(s.stream(in), in.Close(), cmd.Wait()); err != nil {
		return fmt.Errorf("git fast-import: %w", err)
	}
	if out, err := exec.Command("git", "-C", temp, "checkout", "-q", "main").CombinedOutput(); err != nil {
		return fmt.Errorf("git checkout: %w: %s", err, out)
	}
	return os.Rename(temp, filepath.Clean(dir))
}

func (s sourceTree) stream(to io.Writer) error {
	w := bufio.NewWriter(to)
	commit := func(n int, subject string) {
		fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\ncommitter T <t@example.invalid> %d +0000\ndata %d\n%s\n", n+1, 1_700_000_000+n, len(subject), subject)
	}
	file := func(i, changes int) {
		text := s.content(i, changes)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", s.path(i), len(text), text)
	}
	commit(0, "Start")
	for i := range s.files {
		file(i, 0)
	}
	for n := 1; n <= s.commits; n++ {
		subject, files := s.subject(n)
		commit(n, subject)
		for _, i := range files {
			file(i, n)
		}
	}
	return w.Flush()
}

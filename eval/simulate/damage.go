package simulate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/schema"
)

// A damage changes the bytes of a run directory that is written.
type damage func(dir string, r *stream) error

// inLines edits the lines of the trajectory, each with its newline.
func inLines(edit func(lines [][]byte, r *stream) [][]byte) damage {
	return func(dir string, r *stream) error {
		return rewrite(filepath.Join(dir, schema.TrajectoryFile), func(b []byte) []byte {
			return bytes.Join(edit(bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")), r), nil)
		})
	}
}

// inText replaces the first occurrence of a text in the trajectory.
func inText(old, new string) damage {
	return func(dir string, _ *stream) error {
		return rewrite(filepath.Join(dir, schema.TrajectoryFile), func(b []byte) []byte {
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		})
	}
}

// rewrite changes a file. A damage that changes nothing is a mistake.
func rewrite(name string, edit func([]byte) []byte) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	edited := edit(bytes.Clone(b))
	if bytes.Equal(b, edited) {
		panic("simulate: a fault that leaves " + name + " as it is")
	}
	return os.WriteFile(name, edited, 0o666)
}

// inner is the place of a line that is neither the first nor the last.
func inner(lines [][]byte, r *stream) int { return 1 + r.IntN(len(lines)-2) }

func cutLast(lines [][]byte, r *stream) [][]byte {
	last := lines[len(lines)-1]
	lines[len(lines)-1] = last[:1+r.IntN(len(last)-2)]
	return lines
}

func dropLast(lines [][]byte, _ *stream) [][]byte { return lines[:len(lines)-1] }

func dropInner(lines [][]byte, r *stream) [][]byte {
	i := inner(lines, r)
	return withNewline(append(lines[:i:i], lines[i+1:]...))
}

func repeatInner(lines [][]byte, r *stream) [][]byte {
	i := inner(lines, r)
	return withNewline(append(lines[:i+1:i+1], lines[i:]...))
}

func fuseInner(lines [][]byte, r *stream) [][]byte {
	i := inner(lines, r)
	lines[i] = bytes.TrimSuffix(lines[i], []byte("\n"))
	return withNewline(lines)
}

func withNewline(lines [][]byte) [][]byte { return append(lines, []byte("\n")) }

// appendPatch changes the patch behind the run's back.
func appendPatch(dir string, _ *stream) error {
	return rewrite(filepath.Join(dir, schema.PatchFile), func(b []byte) []byte { return append(b, "+one more line\n"...) })
}

// remove takes a file away.
func remove(name string) damage {
	return func(dir string, _ *stream) error { return os.Remove(filepath.Join(dir, name)) }
}

// forge gives the manifest another seed.
func forge(dir string, _ *stream) error {
	return rewrite(filepath.Join(dir, schema.DocumentManifest.File), func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"seed": `), []byte(`"seed": 7`), 1)
	})
}

// leak puts a credential into the arguments of a tool call. It is drawn here and
// opens nothing; the writer would have refused it.
func leak(dir string, r *stream) error {
	member := fmt.Sprintf(`"authorization":"Bearer %016x%016x",`, r.Uint64(), r.Uint64())
	return inText(`"arguments":{`, `"arguments":{`+member)(dir, r)
}

// copyRun copies a run directory under another root.
func copyRun(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}

// copyFolder is the folder of copies in the experiment's folder. A run below it
// has the path that its manifest asks for. It comes last, so that copies are what is
// left out.
const copyFolder = "z-copies"

package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// SumsFile lists the SHA-256 of every other file, as sha256sum -c reads it.
const SumsFile = "SHA256SUMS"

// HashFile returns the SHA-256 of a file in hex, and its size.
func HashFile(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// WriteSums hashes every file below dir into its SHA256SUMS.
func WriteSums(dir string) error {
	names, err := filesBelow(dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range names {
		if name == SumsFile {
			continue
		}
		sum, _, err := HashFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, name)
	}
	return os.WriteFile(filepath.Join(dir, SumsFile), []byte(b.String()), 0o644)
}

// filesBelow lists the files below dir with slashes, sorted by their bytes.
func filesBelow(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	slices.Sort(names)
	return names, err
}

// readSums reads the sums by name. A file that is not there has none, and what is no
// sum is a problem of the dataset.
func readSums(path string) (sums map[string]string, problems []Problem, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, []Problem{{SumsFile, "no file", "the SHA-256 of every other file"}}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	sums = map[string]string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		_, again := sums[name]
		switch {
		case !ok || !schema.FormSHA256.Match(sum):
			problems = append(problems, Problem{SumsFile, fmt.Sprintf("%.80q at line %d", lines.Text(), n), "a SHA-256, two blanks and a name"})
		case again:
			problems = append(problems, Problem{SumsFile, fmt.Sprintf("%s again at line %d", name, n), "each file once"})
		default:
			sums[name] = sum
		}
	}
	return sums, problems, lines.Err()
}

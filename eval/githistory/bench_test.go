package githistory

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// syntheticRepo has files of about 8 KB each and 200 commits that change three of them under a subject that names
// words from one.
func syntheticRepo(b *testing.B, files int) string {
	b.Helper()
	random := rand.New(rand.NewPCG(3, 5))
	zipf := rand.NewZipf(random, 1.1, 8, 20000)
	content := func(i int) []byte {
		var text bytes.Buffer
		fmt.Fprintf(&text, "package p%d\n\n", i%100)
		for j := range 40 {
			fmt.Fprintf(&text, "// handle%dRequest%d keeps item %d.\nfunc handle%dRequest%d(ctx context.Context, value%d int) error {\n\tif err := store%d.Put(ctx, value%d); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\n",
				i, j, zipf.Uint64(), i, j, zipf.Uint64(), zipf.Uint64(), zipf.Uint64())
		}
		return text.Bytes()
	}
	var stream bytes.Buffer
	commit := func(n int, message string) {
		fmt.Fprintf(&stream, "commit refs/heads/main\nmark :%d\ncommitter T <t@example.invalid> %d +0000\ndata %d\n%s\n", n, 1700000000+n, len(message), message)
	}
	file := func(i int) {
		text := content(i)
		fmt.Fprintf(&stream, "M 100644 inline pkg%d/file%d.go\ndata %d\n%s\n", i%100, i, len(text), text)
	}
	commit(1, "Start")
	for i := range files {
		file(i)
	}
	for n := 2; n <= 201; n++ {
		i := random.IntN(files)
		commit(n, fmt.Sprintf("Keep handle%dRequest%d from losing item %d", i, random.IntN(40), zipf.Uint64()))
		for _, k := range []int{i, (i + 1) % files, random.IntN(files)} {
			file(k)
		}
	}
	dir := b.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, &stream
		if args[0] == "init" {
			cmd.Stdin = nil
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

// BenchmarkEvaluation is 100 tasks with all built-in tools over 5,000 files, from the repository to the report. The
// target is below a minute on two cores.
func BenchmarkEvaluation(b *testing.B) {
	dir := syntheticRepo(b, 5000)
	for b.Loop() {
		result, err := Run(context.Background(), Options{
			Repo: dir, Base: "main~100", Head: "main", Jobs: 2, CacheDir: b.TempDir(), Out: b.TempDir(), Functions: true,
		}, nil)
		if err != nil {
			b.Fatal(err)
		}
		report := NewReport(result, false)
		b.ReportMetric(float64(report.Tasks*len(report.Arms)), "answers")
	}
}

// BenchmarkRipgrep puts the same hundred questions to ripgrep, one keyword at a time, for comparison.
func BenchmarkRipgrep(b *testing.B) {
	if _, err := exec.LookPath("rg"); err != nil {
		b.Skip("ripgrep is not here")
	}
	dir := syntheticRepo(b, 5000)
	for b.Loop() {
		_, err := Run(context.Background(), Options{
			Repo: dir, Base: "main~100", Head: "main", Jobs: 2, CacheDir: b.TempDir(), Builtins: []string{},
			Tools: []ToolSpec{{Name: "rg", Command: "rg -il -F -e {query} .", Expand: 5}},
		}, nil)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIndex builds every built-in index over 5,000 files.
func BenchmarkIndex(b *testing.B) {
	dir := syntheticRepo(b, 5000)
	ctx := context.Background()
	repo, err := open(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	base, err := repo.resolve(ctx, "main~100")
	if err != nil {
		b.Fatal(err)
	}
	entries, err := repo.tree(ctx, base)
	if err != nil {
		b.Fatal(err)
	}
	s, err := repo.export(ctx, Options{CacheDir: b.TempDir(), History: DefaultHistory}, base, entries)
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	size := 0
	for _, n := range s.sizes {
		size += n
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		if _, err := newBaselines(ctx, s, 2); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.root, "pkg0")); err != nil {
		b.Fatal(err)
	}
}

//go:build unix

package ingest_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// asNobody names the variable that makes the test program list a folder.
const asNobody = "ASSAY_TEST_DISCOVER_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(asNobody); root != "" {
		found, err := ingest.Discover([]string{root})
		if err != nil {
			panic(err)
		}
		reader := ingest.NewReader(ingest.Options{})
		for _, r := range found.Runs {
			run, err := reader.ReadRun(r, nil)
			if err != nil {
				panic(err)
			}
			os.Stdout.WriteString("run " + r.Path + "\n")
			for _, f := range run.Findings {
				if f.Code == &schema.Unreadable {
					os.Stdout.WriteString(f.Code.Name + " " + f.File + " " + f.Have + "\n")
				}
			}
		}
		for _, f := range found.Findings {
			os.Stdout.WriteString(f.Code.Name + " " + f.RunPath + " " + f.Have + "\n")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Case 143: a directory that may not be read is counted, and its neighbours are
// read; so is a run with a file that may not. Root may read everything, so the listing is made by another user.
func TestUnreadableDirectory(t *testing.T) {
	folder := casesFolder(t)
	root, err := os.MkdirTemp("", "unreadable")
	if err != nil {
		t.Fatal(err)
	}
	defer exec.Command("chmod", "-R", "u+rwx", root).Run()
	t.Cleanup(func() { os.RemoveAll(root) })
	if out, err := exec.Command("sh", filepath.Join(folder, "143-unreadable-run-directory", "input", "make-tree.sh"), root).CombinedOutput(); err != nil {
		t.Skipf("the case's script needs a shell: %v %s", err, out)
	}
	touch(t, root, "results/raw/e1/h1/t1/r-d/trajectory.jsonl")
	if err := os.Chmod(filepath.Join(root, "results/raw/e1/h1/t1/r-d/trajectory.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(root, "program")
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(program)
	child.Env = append(os.Environ(), asNobody+"="+filepath.Join(root, "results"))
	child.Dir = root
	if os.Geteuid() == 0 {
		child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := child.Output()
	if os.Geteuid() == 0 && errors.Is(err, fs.ErrPermission) {
		t.Skipf("another user may not run a program in %s", root)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const at = "raw/e1/h1/t1/"
	if want := "run " + at + "r-a\nrun " + at + "r-c\nrun " + at + "r-d\nunreadable trajectory.jsonl permission denied\nunreadable " + at + "r-b permission denied\n"; string(out) != want {
		t.Errorf("have %q, want %q", out, want)
	}
}

// What no column of a dataset can name is a finding, and stops nothing.
func TestDirectoryNameThatIsNotUTF8(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a\xffb", "c"), 0o777); err != nil {
		t.Skip("this file system takes no name that is not UTF-8: ", err)
	}
	touch(t, root, "a\xffb/c/trajectory.jsonl", "d/trajectory.jsonl")
	if err := os.Symlink("nowhere", filepath.Join(root, "d", "l\xff")); err != nil {
		t.Fatal(err)
	}
	found, err := ingest.Discover([]string{root})
	if err != nil || !slices.Equal(paths(found), []string{"d"}) || len(found.Findings) != 2 {
		t.Fatalf("have %v, %v, %v, want d alone and two findings", paths(found), found.Findings, err)
	}
	if f := found.Findings[0]; f.Code != &schema.UnsafePath || f.RunPath != `a\xffb` || f.Have != "a name that is not UTF-8" {
		t.Errorf("have %+v, want unsafe_path", f)
	}
	if f := found.Findings[1]; f.Code != &schema.LinkNotFollowed || f.File != "l\ufffd" {
		t.Errorf("have %+v, want link_not_followed", f)
	}
}

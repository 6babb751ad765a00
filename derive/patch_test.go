package derive

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// Counts by hand, following the unified format of git-diff.
func TestReadPatch(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		want Patch
	}{
		{"nothing", "", Patch{State: &schema.PatchStateEmpty}},
		{"one byte", "\n", Patch{State: &schema.PatchStateEmpty}},
		{"mode only", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", Patch{State: &schema.PatchStateNoLines, Files: 1}},
		{"rename only", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", Patch{State: &schema.PatchStateNoLines, Files: 1}},
		{"one line for one", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 1, Removed: 1}},
		{"without git's head", "--- x\n+++ x\n@@ -1,2 +1,3 @@ f\n a\n+b\n c\n--- y\n+++ y\n@@ -0,0 +1 @@\n+a\n", Patch{State: &schema.PatchStateReal, Files: 2, Hunks: 2, Added: 2}},
		{"lines that look like heads", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n-@@ -1 +1 @@\n+++ new\n+diff --git a b\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 2, Removed: 2}},
		{"an empty context line cut to nothing", "--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 1, Removed: 1}},
		{"no newline at the end", "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 1, Removed: 1}},
		{"CR LF", "--- x\r\n+++ x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 1, Removed: 1}},
		{"without hunk heads", "--- a/x\n+++ b/x\n-a\n+b\n+c\n", Patch{State: &schema.PatchStateReal, Files: 1, Added: 2, Removed: 1}},
		{"a mail's head and signature", "Fix it\n\n- more\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.2\n", Patch{State: &schema.PatchStateReal, Files: 1, Hunks: 1, Added: 1, Removed: 1}},
		{"words", "I could not find the bug.\n", Patch{State: &schema.PatchStateNoLines}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have := ReadPatch([]byte(c.text)); have != c.want {
				t.Errorf("have %s %+v, want %s %+v", have.State.Name, have, c.want.State.Name, c.want)
			}
		})
	}
}

// Whatever the text: no more lines are counted than there are, and what is said
// to be real has changed lines.
func FuzzReadPatch(f *testing.F) {
	f.Add("--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("@@ -9223372036854775807 +1,9223372036854775807 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := ReadPatch([]byte(text))
		lines := int64(strings.Count(text, "\n") + 1)
		if p.Added < 0 || p.Removed < 0 || p.Added+p.Removed+p.Hunks+p.Files > lines {
			t.Errorf("%q: have %+v in %d lines", text, p, lines)
		}
		if (p.State == &schema.PatchStateReal) != (p.Added+p.Removed > 0) {
			t.Errorf("%q: have %s with %+v", text, p.State.Name, p)
		}
	})
}

func TestPatchSizes(t *testing.T) {
	wants(t, newTrace(schema.Task{}).finish(schema.RunFinished{Patch: schema.Some("empty")}).derive(), map[string]string{"patch_files": "0", "patch_lines_added": "0"})
	wants(t, newTrace(schema.Task{}).finish(schema.RunFinished{Patch: schema.Some("none")}).derive(), map[string]string{"patch_files": "[no_patch]", "patch_applied": "[not_recorded]"})
}

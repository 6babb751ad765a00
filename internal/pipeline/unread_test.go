package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// A plan that stands there unread shows in the findings: a dataset with it is not the
// dataset without it.
func TestUnreadPlanIsAnInput(t *testing.T) {
	without := ""
	for _, c := range []struct {
		name string
		make func(path string) error
	}{
		{"none", func(string) error { return nil }},
		{"a link", func(path string) error { return os.Symlink("nowhere", path) }},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o755) }},
		{"too large", func(path string) error {
			return os.WriteFile(path, make([]byte, 65<<20), 0o644)
		}},
	} {
		root := t.TempDir()
		fixture{}.write(t, root)
		check(t, c.make(filepath.Join(root, "exp", schema.DocumentPlan.File)))
		s, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), pipeline.Options{CodeRevision: "test"})
		check(t, err)
		if c.name == "none" {
			without = s.DatasetID
		} else if s.DatasetID == without {
			t.Errorf("%s: have the dataset of none, want another", c.name)
		}
		if warned := len(s.Findings) == 1 && s.Findings[0].Code == &schema.PlanUnreadable; warned != (c.name != "none") {
			t.Errorf("%s: have %v, want plan_unreadable", c.name, s.Findings)
		}
	}
}

package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// A plan that stands there unread shows in the findings: a dataset with it is not the
// dataset without it.
func TestUnreadPlanIsAnInput(t *testing.T) {
	ids := map[string]string{}
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
		if other, ok := ids[s.DatasetID]; ok {
			t.Errorf("%s: have the dataset of %s, want another", c.name, other)
		}
		ids[s.DatasetID] = c.name
		if warned := len(s.Findings) == 1 && s.Findings[0].Code == &schema.PlanUnreadable; warned != (c.name != "none") {
			t.Errorf("%s: have %v, want plan_unreadable", c.name, s.Findings)
		}
	}
}

// What stands in place of a file of a run decides what is found, and so which dataset
// it is; the lineage names it, and status finds it as it was.
func TestUnreadFilesTellDatasetsApart(t *testing.T) {
	ids := map[string]string{}
	for name, make := range map[string]func(path string) error{
		"nothing":          func(string) error { return nil },
		"a directory":      func(path string) error { return os.Mkdir(path, 0o755) },
		"a link":           func(path string) error { return os.Symlink(schema.TrajectoryFile, path) },
		"a link out of it": func(path string) error { return os.Symlink("/etc/hostname", path) },
	} {
		root := t.TempDir()
		_, dir := fixture{}.write(t, root)
		check(t, make(filepath.Join(root, filepath.FromSlash(dir), schema.PatchFile)))
		s, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), pipeline.Options{CodeRevision: "test"})
		check(t, err)
		if other, ok := ids[s.DatasetID]; ok {
			t.Errorf("%s: have the dataset of %s, want another", name, other)
		}
		ids[s.DatasetID] = name
		d, err := dataset.Open(s.Dir)
		check(t, err)
		state, err := pipeline.Status(context.Background(), d, []string{root}, pipeline.Options{})
		check(t, err)
		if len(state.Changes) > 0 {
			t.Errorf("%s: have %v, want no change since", name, state.Changes)
		}
	}
}

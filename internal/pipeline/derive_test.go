package pipeline_test

import (
	"context"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
)

func derive(t testing.TB, root string) *pipeline.Summary {
	t.Helper()
	s, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), pipeline.Options{CodeRevision: "test"})
	check(t, err)
	return s
}

func TestDerive(t *testing.T) {
	root := t.TempDir()
	fixture{queries: 2}.write(t, root)
	s := derive(t, root)
	t.Logf("%+v", s)
}

package assay_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/assay-bench/assay"

// imports is the table of ARCHITECTURE.md: what each package may import of this
// module. A change to it and its decision record are one commit.
var imports = map[string][]string{
	"schema":                {},
	"record":                {"schema"},
	"ingest":                {"schema"},
	"ingest/importer":       {"schema", "record", "ingest", "internal/staging"},
	"derive":                {"schema"},
	"stats":                 {"stats/dist"},
	"stats/dist":            {},
	"stats/duck":            {"schema", "stats", "stats/dist"},
	"tables":                {"schema", "stats", "stats/duck"},
	"eval/bm25":             {},
	"eval/symbols":          {},
	"eval/command":          {},
	"eval/mcptool":          {"eval/command"},
	"eval/gate":             {"schema", "stats"},
	"eval/githistory":       {"schema", "record", "stats", "eval/bm25", "eval/symbols", "eval/command", "eval/mcptool", "eval/gate"},
	"eval/recall":           {"schema", "record", "stats", "eval/command", "eval/mcptool", "eval/gate"},
	"eval/capture":          {"schema", "eval/githistory"},
	"eval/simulate":         {"schema", "record"},
	"internal/staging":      {},
	"internal/dataset":      {"schema", "internal/staging"},
	"internal/pipeline":     {"schema", "ingest", "derive", "internal/dataset"},
	"internal/golden":       {},
	"internal/gendoc":       {"*"},
	"cmd/assay":             {"*"},
	"internal/campaign/":    {"*"},
	"internal/dataset/":     {"*"},
	"internal/registrytest": {"*"},
}

// doors are the packages through which alone a heavy dependency is used.
var doors = map[string][]string{
	"github.com/parquet-go/parquet-go": {"internal/dataset"},
	"github.com/duckdb/duckdb-go/v2":   {"stats/duck", "internal/campaign/bench"},
	"gonum.org/v1/gonum":               {"stats", "stats/dist"},
	"github.com/tree-sitter":           {"eval/symbols"},
	"github.com/modelcontextprotocol":  {"eval/mcptool"},
	"github.com/spf13/cobra":           {"cmd/assay", "internal/gendoc"},
}

// pure packages open no file, ask no clock, network or environment.
var pure = []string{"schema", "derive", "stats", "stats/dist"}

var impure = []string{"os", "os/exec", "net", "net/http", "log", "math/rand", "path/filepath", "io/ioutil", "syscall"}

type goPackage struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,GoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p goPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			list = append(list, p)
		}
	}
	return list
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		allowed, ok := allowedOf(name)
		if !ok {
			t.Errorf("%s: have a package that ARCHITECTURE.md does not list, want it in the table", name)
			continue
		}
		for _, imp := range p.Imports {
			if rest, ours := strings.CutPrefix(imp, module+"/"); ours && !slices.Contains(allowed, rest) && !slices.Contains(allowed, "*") {
				t.Errorf("%s imports %s, want only %v", name, rest, allowed)
			}
			for door, through := range doors {
				if strings.HasPrefix(imp, door) && !slices.Contains(through, name) {
					t.Errorf("%s imports %s, want it only in %v", name, imp, through)
				}
			}
			if slices.Contains(pure, name) && slices.Contains(impure, imp) {
				t.Errorf("%s imports %s, want it pure", name, imp)
			}
		}
	}
}

func allowedOf(name string) ([]string, bool) {
	if a, ok := imports[name]; ok {
		return a, true
	}
	for prefix, a := range imports {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(name, prefix) {
			return a, true
		}
	}
	return nil, false
}

package gate

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
)

// setFolder is where a set of outside files is: named by a variable, or beside the repository.
func setFolder(t *testing.T, variable, name string) string {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		root, err := os.Getwd()
		for ; err == nil; root = filepath.Dir(root) {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || root == filepath.Dir(root) {
				break
			}
		}
		folder = filepath.Join(root, "..", "shared", name)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the %s are not here; set %s to their folder", name, variable)
	}
	return folder
}

// The reference set's exact McNemar p, from R 4.2.2 (2*pbinom(min(b,c), b+c, 1/2), capped at 1), as log10 so that none
// underflows. Its counts beyond what a gate can see are left out.
func TestSignTestAgainstR(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(setFolder(t, "ASSAY_REFERENCE", "reference"), "mcnemar", "mcnemar.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID     string `json:"id"`
			Inputs struct {
				B int `json:"b"`
				C int `json:"c"`
			} `json:"inputs"`
			Expected struct {
				Log10 float64 `json:"log10_exact_two_sided"`
			} `json:"expected"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range file.Cases {
		if c.Inputs.B+c.Inputs.C > 100_000 {
			continue
		}
		compared++
		if have := log10(t, c.Inputs.B, c.Inputs.C); math.Abs(have-c.Expected.Log10) > 1e-9*max(1, math.Abs(c.Expected.Log10)) {
			t.Errorf("%s: have log10 p %v, want %v", c.ID, have, c.Expected.Log10)
		}
	}
	if compared < 5 {
		t.Errorf("have %d cases, want at least 5", compared)
	}
}

// log10 of a p that a double may be too coarse for: p is a ratio of big numbers, m * 2^e each.
func log10(t *testing.T, better, worse int) float64 {
	t.Helper()
	p := SignTest(better, worse)
	part := func(bits int, shifted float64) float64 { return float64(bits)*math.Log10(2) + math.Log10(shifted) }
	scale := func(bits int) int { return max(bits-60, 0) }
	numBits, denBits := scale(p.Num().BitLen()), scale(p.Denom().BitLen())
	num, _ := p.Num().Rsh(p.Num(), uint(numBits)).Float64()
	den, _ := p.Denom().Rsh(p.Denom(), uint(denBits)).Float64()
	return part(numBits, num) - part(denBits, den)
}

package simulate_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/internal/dataset"
)

// faulty is the small study with every fault, twice where they are of runs.
func faulty() simulate.Study {
	s := small()
	for _, f := range simulate.Faults {
		n := 2
		if f.Tasks {
			n = 1
		}
		s.Faults = append(s.Faults, simulate.Plant{Fault: f, Count: n})
	}
	return s
}

// TestFaults: the accounting comes to what the truth says, and every planted
// fault shows as its finding, exclusion and missing metric, as often as planted.
func TestFaults(t *testing.T) {
	d := derive(t, faulty())
	if want := dataset.Counts(d.truth.Counts); d.summary.Counts != want {
		t.Errorf("have %+v\nwant %+v", d.summary.Counts, want)
	}
	check(t, d.summary.Counts.Check())
	var excluded []string
	for _, e := range d.truth.Excluded {
		excluded = append(excluded, fmt.Sprint(e.Name, " ", e.Value))
	}
	slices.Sort(excluded)
	have := d.query(t, "SELECT excluded_by, count(*) FROM runs WHERE excluded_by IS NOT NULL GROUP BY 1 ORDER BY 1")
	if !slices.Equal(have, excluded) {
		t.Errorf("excluded:\nhave %q\nwant %q", have, excluded)
	}
	planted := map[string]int64{}
	for _, f := range d.truth.Faults {
		planted[f.Finding.Or("")] += f.Runs
		planted[f.Also.Or("")] += f.Runs
		for _, m := range f.Missing {
			rows := d.query(t, fmt.Sprintf("SELECT count(*) FROM missing WHERE metric = '%s' AND reason = '%s'", m.Metric, m.Reason))
			if want := fmt.Sprint(m.Runs); rows[0] != want {
				t.Errorf("%s: %s missing as %s: have %s runs, want %s", f.Fault, m.Metric, m.Reason, rows[0], want)
			}
		}
	}
	delete(planted, "")
	for code, want := range planted {
		rows := d.query(t, "SELECT count(DISTINCT raw_path) FROM findings WHERE code = '"+code+"'")
		if rows[0] != fmt.Sprint(want) {
			t.Errorf("%s: have it in %s directories, want %d", code, rows[0], want)
		}
	}
	for _, f := range d.summary.Findings {
		if planted[f.Code.Name] == 0 {
			t.Errorf("have %d of %s, which was not planted", f.Count, f.Code.Name)
		}
	}
}

// TestSecretIsGone: the planted credential stands in the raw files, and in no text
// of the findings.
func TestSecretIsGone(t *testing.T) {
	s := small()
	s.Faults = []simulate.Plant{{Fault: &simulate.FaultSecret, Count: 3}}
	d := derive(t, s)
	var credentials []string
	for _, text := range texts(t, d.root) {
		for _, match := range regexp.MustCompile("Bearer ([0-9a-f]{32})").FindAllStringSubmatch(text, -1) {
			credentials = append(credentials, match[1])
		}
	}
	if len(credentials) != 3 {
		t.Fatalf("have %d credentials in the raw files, want 3", len(credentials))
	}
	for _, c := range credentials {
		if rows := d.query(t, "SELECT count(*) FROM findings f WHERE f::VARCHAR LIKE '%"+c+"%'"); rows[0] != "0" {
			t.Errorf("have a credential in %s findings, want it redacted", rows[0])
		}
	}
}

// TestFaultsListed: the list is complete and tells faults apart.
func TestFaultsListed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range simulate.Faults {
		if seen[f.Name] || f.Doc == "" || f.Rate <= 0 {
			t.Errorf("fault %q: want a name of its own, a text and a rate", f.Name)
		}
		seen[f.Name] = true
		if found, ok := simulate.FaultByName(f.Name); !ok || found != f {
			t.Errorf("fault %q: have %v by its name", f.Name, found)
		}
		if f.Finding == nil && f.Excluded == "" && len(f.Missing) == 0 && f.Counts == (simulate.Counts{}) {
			t.Errorf("fault %q: have nothing by which it shows", f.Name)
		}
	}
}

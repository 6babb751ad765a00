package gate

import (
	"bytes"
	"strings"
	"testing"
)

func TestSummaryRoundTrip(t *testing.T) {
	s := paired(12, func(i int) bool { return i%3 == 0 })
	s.Repo, s.Base, s.Head, s.Limit, s.Budget = "r", "aaaa", "bbbb", 10, 1500
	s.CommitsSeen, s.Skipped = 14, map[string]int{"revert": 1, "dependency": 1}
	data, err := s.Format()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(`"hit@10": [1, 3]`)) && !bytes.Contains(data, []byte(`"hit@10": [4, 12]`)) {
		t.Errorf("have %s, want a figure on one line", data)
	}
	again, err := Parse("baseline.json", data)
	if err != nil {
		t.Fatal(err)
	}
	second, err := again.Format()
	if err != nil || !bytes.Equal(data, second) {
		t.Errorf("have other bytes after reading back, %v", err)
	}
	if report := Compare(s, again, DefaultOptions()); report.Verdict != Pass {
		t.Errorf("have %s %q, want a pass", report.Verdict, report.Undecided)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "b.json"},
		{`{"tasks":1}`, "schema_version"},
		{`{"schema_version":"2.0.0","tasks":1}`, "schema_version"},
		{`{"schema_version":"1.0.0","tasks":-1}`, "negative"},
		{`{"schema_version":"1.0.0","tasks":1,"recal":1}`, "recal"},
		{`{"schema_version":"1.0.0","tasks":1,"tasks":2}`, "tasks"},
		{`{"schema_version":"1.0.0","evaluator":"other","tasks":1}`, "evaluator"},
		{`{"schema_version":"1.0.0","tasks":1,"metrics":{"recall@11":[1,1]}}`, "recall@11"},
		{`{"schema_version":"1.0.0","tasks":1,"metrics":{"recall@10":[2,1]}}`, "at most 1"},
		{`{"schema_version":"1.0.0","tasks":1,"metrics":{"recall@10":NaN}}`, "b.json"},
		{`{"schema_version":"1.0.0","tasks":1,"metrics":{"tokens":[-1,1]}}`, "at least 0"},
		{`{"schema_version":"1.0.0","tasks":1,"tools":[{"name":"a","metrics":{}},{"name":"a","metrics":{}}]}`, "twice"},
		{`{"schema_version":"1.0.0","tasks":2,"tools":[{"name":"a","metrics":{},"by_task":[]}]}`, "by_task"},
		{`{"schema_version":"1.0.0","tasks":2,"tools":[{"name":"a","metrics":{},"by_task":[{"id":"b","metrics":{}},{"id":"a","metrics":{}}]}]}`, "rise"},
		{`{"schema_version":"1.0.0","tasks":2,"tools":[{"name":"a","metrics":{},"by_task":[{"id":"a","metrics":{}},{"id":"a","metrics":{}}]}]}`, "rise"},
		{`{"summary":{"pass":1},"questions":[]}`, "want a summary, as --write-baseline writes it"}, // results.json
	} {
		if s, err := Parse("b.json", []byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, %v, want an error with %q", c.in, s, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema_version":"1.0.0","repo":"r","base":"aaaa","head":"bbbb","tasks":20,"metrics":{"recall@10":[16,20]}}`))
	f.Add([]byte(`{"schema_version":"1.0.0","tasks":1,"tools":[{"name":"a","metrics":{"tokens":12.5},"by_task":[{"id":"x","metrics":{"hit@10":[1,1]}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("b.json", data)
		if err != nil {
			return
		}
		text, err := s.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("b.json", text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, report := range []Report{Compare(s, again, DefaultOptions()), Compare(again, s, DefaultOptions())} {
			if report.Verdict != Pass && report.Verdict != CannotDecide {
				t.Errorf("a summary against itself: have %s", report.Verdict)
			}
			if s.Tasks < MinPairs && report.Verdict == Pass {
				t.Errorf("%d tasks: have a pass", s.Tasks)
			}
		}
	})
}

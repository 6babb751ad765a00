package recall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// sample has one question of each kind: 2 of 5, 3 of 5, none of 2, empty, error.
func sample() Result {
	found := func(bodies ...string) Answer {
		var a Answer
		for _, b := range bodies {
			a.Results = append(a.Results, Found{Body: b})
		}
		return a
	}
	question := func(id int64, kw ...string) Question {
		return Question{ID: Number(id), Query: fmt.Sprintf("question %d", id), Keywords: kw}
	}
	result := Result{Setup: Setup{Tool: Identity{Name: "tool"}, Limit: 5}}
	for _, c := range []struct {
		q Question
		a Answer
	}{
		{question(1, "datom", "actor", "tx", "checksum", "op"), found("a Datom", "an ACTOR", "c", "d")},
		{question(2, "fsync", "flock", "wal", "snapshot", "arena"), found("fsync flock wal")},
		{question(3, "leiden", "nomic"), found("unrelated")},
		{question(4, "ulid"), found()},
		{question(5, "ppr"), Answer{Reason: "no end after 1s"}},
	} {
		result.Outcomes = append(result.Outcomes, score(c.q, c.a, Features{}))
	}
	return result
}

func sampleFile(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteResults(&out, sample().Results()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The lines are those that users of such files have in their notes, word for word; the answers are by hand.
var jqLines = []struct{ line, want string }{
	{`[.questions[] | select(.score >= 0.4)] | length`, "2"},
	{`[.questions[] | select(.score == 0)] | length`, "2"},
	{`.questions[] | select(.verdict=="FAIL" and .score>0) | {id,q,score,missed_kw}`, `{"id":1,"missed_kw":"tx,checksum,op","q":"question 1","score":0.4}`},
	{`.questions[] | select(.verdict=="EMPTY") | {id,q}`, `{"id":4,"q":"question 4"}`},
	{`.summary | {pass, fail, empty, total, pass_rate}`, `{"empty":1,"fail":2,"pass":1,"pass_rate":"20.0%","total":5}`},
	{`.questions[0].top_bodies`, `["a Datom","an ACTOR","c"]`},
	{`.questions[0].matched_kw`, `"datom,actor"`},
}

func TestJQLinesByLibrary(t *testing.T) {
	var file any
	if err := json.Unmarshal(sampleFile(t), &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range jqLines {
		query, err := gojq.Parse(c.line)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for iter := query.Run(file); ; {
			value, more := iter.Next()
			if !more {
				break
			}
			if err, bad := value.(error); bad {
				t.Fatalf("%s: %v", c.line, err)
			}
			text, err := gojq.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			have = append(have, string(text))
		}
		if strings.Join(have, "\n") != c.want {
			t.Errorf("%s: have %s, want %s", c.line, have, c.want)
		}
	}
}

func TestJQLinesByProgram(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed")
	}
	path := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(path, sampleFile(t), 0o644); err != nil {
		t.Fatal(err)
	}
	lines := append(slices.Clone(jqLines), struct{ line, want string }{`.questions[] | "\(.id)\t\(.score)"`, "\"1\\t0.4\"\n\"2\\t0.6\"\n\"3\\t0\"\n\"4\\t0\"\n\"5\\tnull\""})
	for _, c := range lines {
		out, err := exec.Command(jq, "-c", "-S", c.line, path).CombinedOutput()
		if have := strings.TrimSpace(string(out)); err != nil || have != c.want {
			t.Errorf("%s: have %s, %v, want %s", c.line, have, err, c.want)
		}
	}
}

// By hand: scores 0.4, 0.6, 0, 0 and none; their mean is 0.25 over 4.
func TestCounts(t *testing.T) {
	c := sample().Counts()
	have := fmt.Sprintln(c.Pass, c.Fail, c.Empty, c.Error, c.Total, c.PassRate, c.AtLeast040, c.AtLeast020, c.ZeroHit, *c.MeanKeywordRecall, c.MeanOver)
	if want := "1 2 1 1 5 20.0% 2 2 2 0.25 4\n"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	marks := Result{Outcomes: []Outcome{
		{Scored: true, Score: Score{1, 5}}, {Scored: true, Score: Score{2, 5}}, {Scored: true, Score: Score{1, 6}}, {Scored: true, Score: Score{39, 100}},
	}}.Counts()
	if marks.AtLeast020 != 3 || marks.AtLeast040 != 1 || marks.ZeroHit != 0 {
		t.Errorf("1/5, 2/5, 1/6, 39/100: have %d at least 0.20 and %d at least 0.40, want 3 and 1", marks.AtLeast020, marks.AtLeast040)
	}
	if have := (Result{}).Counts(); have.PassRate != "n/a (0/0)" || have.MeanKeywordRecall != nil {
		t.Errorf("nothing: have %+v, want no rate and no mean", have)
	}
}

// The published baseline of 100 questions: 9 PASS is "9.0%".
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		want        string
	}{{9, 100, "9.0%"}, {2, 3, "66.7%"}, {0, 7, "0.0%"}, {7, 7, "100.0%"}, {1, 8, "12.5%"}} {
		if have := percent(c.part, c.whole); have != c.want {
			t.Errorf("%d of %d: have %s, want %s", c.part, c.whole, have, c.want)
		}
	}
}

func TestResultsRoundTrip(t *testing.T) {
	first := sampleFile(t)
	results, err := ReadResults("results.json", first)
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := WriteResults(&second, results); err != nil || !bytes.Equal(first, second.Bytes()) {
		t.Errorf("have other bytes after reading back, %v", err)
	}
}

// A file that holds the shared members only, as the published example does.
func TestReadResultsOfOthers(t *testing.T) {
	const other = `{"summary":{"pass":0,"fail":1,"empty":0,"total":1,"pass_rate":"0.0%"},"questions":[{"id":1,"q":"what is a datom",
		"verdict":"FAIL","score":0.40,"matched_kw":"datom,actor","missed_kw":"tx,checksum,op","top_bodies":["x"]}]}`
	if _, err := ReadResults("a.json", []byte(other)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{``, `{}`, `{"questions":[]}`, strings.Replace(other, "FAIL", "SKIP", 1), strings.Replace(other, "0.40", "1.40", 1), strings.Replace(other, `"id":1`, `"id":1.5`, 1), strings.Replace(other, `"id":1,`, ``, 1)} {
		if have, err := ReadResults("a.json", []byte(bad)); err == nil {
			t.Errorf("%s: have %+v, want an error", bad, have)
		}
	}
}

func TestResultsHoldNoSecrets(t *testing.T) {
	q := Question{ID: Number(1), Query: "q", Keywords: []string{"export"}}
	result := Result{Outcomes: []Outcome{
		score(q, Answer{Results: []Found{{Body: "export API_TOKEN=abcdef0123456789abcdef"}}}, Features{}),
		score(q, Answer{Reason: "exit status 1: password=hunter2hunter2"}, Features{}),
	}}
	var out bytes.Buffer
	if err := WriteResults(&out, result.Results()); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"abcdef0123456789", "hunter2"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("have %q in results.json, want it replaced", secret)
		}
	}
}

func FuzzReadResults(f *testing.F) {
	f.Add([]byte(`{"questions":[{"id":1,"q":"x","verdict":"FAIL","score":0.40,"matched_kw":"a","missed_kw":"b","top_bodies":["x"]}]}`))
	f.Add([]byte(`{"summary":{},"setup":{"limit":5},"questions":[{"id":"a","verdict":"ERROR","score":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		results, err := ReadResults("a.json", data)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteResults(&out, results); err != nil {
			t.Fatal(err)
		}
		again, err := ReadResults("a.json", out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if d := Diff(results, again); !d.Same() || d.PassP.Sign() <= 0 {
			t.Errorf("a run against itself: have %+v", d)
		}
	})
}

package recall

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestLoad(t *testing.T) {
	questions, err := Load("questions.json", []byte("\ufeff"+`[
		{"id":42,"q":"what is the decay exponent default value","kw":["decay","exponent","0.5","activation","base"]},
		{"id":"b","q":"x","kw":["y"],"x_note":{"any":1}}]`), Features{})
	if err != nil {
		t.Fatal(err)
	}
	if questions[0].ID != Number(42) || questions[1].ID != Name("b") || questions[0].Keywords[2] != "0.5" {
		t.Errorf("have %+v", questions)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct {
		in       string
		features Features
		want     []string
	}{
		{``, Features{}, []string{"questions.json"}},
		{`{}`, Features{}, []string{"list of questions"}},
		{`[]`, Features{}, []string{"0 questions"}},
		{`[1]`, Features{}, []string{"place 1"}},
		{`[{"q":"a","kw":["b"]}]`, Features{}, []string{"place 1", "id"}},
		{`[{"id":1.5,"q":"a","kw":["b"]}]`, Features{}, []string{"whole number"}},
		{`[{"id":1,"q":"a","kws":["b"]}]`, Features{}, []string{"kws", "id, q, kw"}},
		{`[{"id":1,"id":2,"q":"a","kw":["b"]}]`, Features{}, []string{"id"}},
		{`[{"id":1,"q":" ","kw":["b"]},{"id":2,"q":"a"},{"id":3,"q":"a","kw":["b"," "]}]`, Features{}, []string{"question 1", "question 2", "question 3", "blank keyword"}},
		{`[{"id":1,"q":"a","kw":["b"]},{"id":"1","q":"a","kw":["b"]}]`, Features{}, []string{"question 1", "twice"}},
		{`[{"id":1,"q":"a\u0000","kw":["b"]}]`, Features{}, []string{"NUL"}},
		{`[{"id":1,"q":"a","kw":["b"],"weights":[1,2]}]`, Features{}, []string{"weights"}},
		{`[{"id":1,"q":"a","kw":["b"],"weights":[0]}]`, Features{}, []string{"weights"}},
		{`[{"id":1,"q":"a","kw":["b"],"forbidden":[""]}]`, Features{}, []string{"forbidden"}},
		{`[{"id":1,"q":"a","no_answer":true,"kw":[]}]`, Features{}, []string{"question 1", "keyword"}},
	} {
		have, err := Load("questions.json", []byte(c.in), c.features)
		if err == nil {
			t.Errorf("%s: have %+v, want a refusal", c.in, have)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: have %v, want %q in it", c.in, err, want)
			}
		}
	}
	if _, err := Load("q", []byte(`[]`), Features{}); !errors.Is(err, ErrNoQuestions) {
		t.Errorf("have %v, want %v", err, ErrNoQuestions)
	}
	if _, err := Load("q", []byte(`[{"id":1,"q":"a","no_answer":true,"kw":[]}]`), Features{NoAnswer: true}); err != nil {
		t.Errorf("a question without answer, asked for: have %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`[{"id":1,"q":"a","kw":["b"],"weights":[2],"forbidden":["c"]}]`))
	f.Add([]byte(`[{"id":"x","q":"\ud83d\ude00","kw":["É"],"no_answer":true,"x_y":[1]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all := Features{WholeWord: true, Weights: true, Forbidden: true, NoAnswer: true}
		questions, err := Load("q", data, all)
		Lint("q", data, nil)
		if err != nil {
			return
		}
		canonical, err := json.Marshal(questions)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Load("q", canonical, all)
		if err != nil || questionsHash(again) != questionsHash(questions) {
			t.Errorf("have %+v, %v, want %+v", again, err, questions)
		}
		for _, q := range questions {
			ideal := score(q, Answer{Results: []Found{{Body: strings.Join(q.Keywords, "\n")}}}, Features{})
			if ideal.Verdict != Pass && ideal.Verdict != Empty {
				t.Errorf("question %s, answered with its keywords: have %s %v", q.ID, ideal.Verdict, ideal.Missed)
			}
		}
	})
}

func ExampleLint() {
	faults, err := Lint("questions.json", []byte(`[{"id":1,"q":"what is a datom","kw":["datom","actor","tx","The"]}]`), nil)
	if err != nil {
		panic(err)
	}
	WriteFaults(os.Stdout, faults)
	// Output:
	// question 1: keyword_in_question: keyword "datom" stands in the question itself
	// question 1: generic_keyword: keyword "tx" is generic English: it matches nearly any text
	// question 1: generic_keyword: keyword "The" is generic English: it matches nearly any text
	// 3 faults
}

// The words are looked up by bisection.
func TestGenericWordsAreSorted(t *testing.T) {
	for i := 1; i < len(genericWords); i++ {
		if genericWords[i-1] >= genericWords[i] {
			t.Errorf("have %q before %q, want them sorted, each once", genericWords[i-1], genericWords[i])
		}
	}
}

func TestLint(t *testing.T) {
	results := Results{}
	for i := range 12 {
		results.Questions = append(results.Questions, QuestionResult{ID: Number(int64(100 + i)), Verdict: Fail, TopBodies: []string{"the module Package text"}})
	}
	for _, c := range []struct {
		in      string
		results *Results
		want    string
	}{
		{`[{"id":1,"q":"how is it stored","kw":["ulid","fsync","flock","0.85"]}]`, &results, ""},
		{`[{"id":1,"q":"x?","kw":["ulid","fsync","flock","0.85"]},{"id":1,"q":"y?","kw":["ulid","fsync","flock","0.85"]}]`, nil, "duplicate_id"},
		{`[{"id":1,"q":"x?","kw":["ulid","ULID","flock","0.85"]}]`, nil, "repeated_keyword"},
		{`[{"id":1,"q":"x?","kw":["ulid","fsync","flock"]}]`, nil, "keyword_count"},
		{`[{"id":1,"q":"x?","kw":["ulid","fsync","flock","0.85","wal","ppr","leiden"]}]`, nil, "keyword_count"},
		{`[{"id":1,"q":"x?","kw":["The","fsync","flock","0.85"]}]`, nil, "generic_keyword"},
		{`[{"id":1,"q":"x?","kw":["in the","fsync","flock","0.85"]}]`, nil, "generic_keyword"},
		{`[{"id":1,"q":"x?","kw":["op","fsync","flock","0.85"]}]`, nil, "generic_keyword"},
		{`[{"id":1,"q":"what does Fsync do","kw":["ulid","fsync","flock","0.85"]}]`, nil, "keyword_in_question"},
		{`[{"id":1,"q":"x?","kw":["sync.Pool","sync","flock","0.85"]}]`, nil, "keyword_in_keyword"},
		{`[{"id":1,"q":"x?","kw":["package","fsync","flock","0.85"]}]`, &results, "unspecific_keyword"},
		{`[{"id":1,"q":"x?","kw":[]}]`, nil, "refused keyword_count"},
		{`[{"id":1,"q":"x?","kw":[],"no_answer":true}]`, nil, ""},
	} {
		faults, err := Lint("questions.json", []byte(c.in), c.results)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		}
		var rules []string
		for _, fault := range faults {
			rules = append(rules, string(fault.Rule))
		}
		if have := strings.Join(rules, " "); have != c.want {
			t.Errorf("%s: have %q, want %q", c.in, have, c.want)
		}
	}
	var out bytes.Buffer
	faults, _ := Lint("q", []byte(`[{"id":7,"q":"x?","kw":["ulid","fsync","flock"]}]`), nil)
	if err := WriteFaults(&out, faults); err != nil || out.String() != "question 7: keyword_count: have 3 keywords, want 4 to 6\n1 faults\n" {
		t.Errorf("have %q, %v", out.String(), err)
	}
}

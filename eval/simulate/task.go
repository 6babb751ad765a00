package simulate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/assay-bench/assay/schema"
)

// A repository is one simulated repository.
type repository struct {
	name, commit, language string
	files, lines           int64
	// ease is between -1 and 1, with mean 0.
	ease float64
}

// A task is one simulated task.
type task struct {
	id                   string
	repo                 *repository
	language             string
	scenario, difficulty string
	// ease is between -1 and 1, with mean 0: what the repository and the task
	// itself make of it.
	ease       float64
	gold       []goldFile
	tokens     int64
	failToPass int
	passToPass int
	// ruled tasks are left out by the plan; noGold tasks hide their gold.
	ruled  bool
	noGold bool
}

// A goldFile is a file of the answer, with the function in it.
type goldFile struct {
	path, symbol string
	start        int64
}

// span is the number of lines of every simulated function.
const span = 20

// languages are given to repositories in turn.
var languages = []struct{ name, suffix string }{{"go", ".go"}, {"python", ".py"}, {"rust", ".rs"}, {"typescript", ".ts"}}

// ease draws a number between -1 and 1 of mean 0 and variance 1/2, by the arc sine
// law: hard and easy ones are more frequent than those between.
func ease(r *stream) float64 { return math.Sin(math.Pi * (r.Float64() - 0.5)) }

// repositories draws the repositories of a study.
func (s *Study) repositories(seed uint64) []repository {
	list := make([]repository, s.Repositories)
	for i := range list {
		r := newStream(seed, streamRepository, i)
		lang := languages[i%len(languages)]
		list[i] = repository{name: fmt.Sprintf("sim-org/repo-%02d", i+1), language: lang.name, ease: ease(r)}
		list[i].commit = hexOf(fmt.Sprint(s.ExperimentID, seed, i))[:40]
		list[i].files = int64(math.Exp(6.5 + r.NormFloat64()))
		list[i].lines = list[i].files * (60 + r.Int64N(120))
	}
	return list
}

// tasks draws the tasks of a study.
func (s *Study) tasks(seed uint64) []task {
	repos := s.repositories(seed)
	list := make([]task, s.Tasks)
	for i := range list {
		r := newStream(seed, streamTask, i)
		repo := &repos[i%len(repos)]
		t := task{id: fmt.Sprintf("task-%04d", i+1), repo: repo, language: repo.language}
		t.ease = s.RepositoryShare*repo.ease + (1-s.RepositoryShare)*ease(r)
		t.scenario, t.difficulty = pick(r, s.Scenarios), pick(r, s.Difficulties)
		t.gold = make([]goldFile, 1+r.IntN(s.GoldFiles))
		for g := range t.gold {
			t.gold[g] = goldFile{path: fmt.Sprintf("src/m%02d/part_%04d_%d%s", r.IntN(20), i+1, g, languages[i%len(repos)%len(languages)].suffix),
				symbol: fmt.Sprintf("solve_%d_%d", i+1, g), start: 1 + 10*r.Int64N(40)}
		}
		t.tokens = int64(math.Exp(5 + 0.5*r.NormFloat64()))
		t.failToPass, t.passToPass = 1+r.IntN(3), 2+r.IntN(6)
		list[i] = t
	}
	return list
}

func pick(r *stream, from []string) string {
	if len(from) == 0 {
		return ""
	}
	return from[r.IntN(len(from))]
}

// levels are the strata of a task by the names that effects use.
func (t *task) levels() schema.Members[string] {
	return schema.Members[string]{{Name: scenarioKey, Value: t.scenario}, {Name: difficultyKey, Value: t.difficulty}}
}

// document is the task as tasks.jsonl and run_started hold it.
func (t *task) document() schema.Task {
	d := schema.Task{ID: t.id, Repo: schema.Some(t.repo.name), BaseCommit: schema.Some(t.repo.commit), Language: schema.Some(t.language),
		Scenario: text(t.scenario), Difficulty: text(t.difficulty),
		StatementSHA256: schema.Some(hexOf(t.id + t.repo.commit)), StatementTokens: schema.Some(t.tokens),
		FailToPass: schema.Some(int64(t.failToPass)), PassToPass: schema.Some(int64(t.passToPass))}
	if t.noGold {
		return d
	}
	d.Gold = &schema.Gold{}
	for _, g := range t.gold {
		d.Gold.Files = append(d.Gold.Files, schema.GoldFile{Path: g.path})
		d.Gold.Functions = append(d.Gold.Functions, schema.GoldFunction{File: g.path, Symbol: schema.Some(g.symbol),
			StartLine: schema.Some(g.start), EndLine: schema.Some(g.start + span - 1)})
	}
	return d
}

func text(s string) schema.Opt[string] {
	if s == "" {
		return schema.None[string]()
	}
	return schema.Some(s)
}

func hexOf(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

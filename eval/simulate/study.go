package simulate

import (
	"github.com/assay-bench/assay/schema"
)

// A Study says what is simulated. Default is a good one to begin with.
type Study struct {
	// ExperimentID names the experiment, and its folder.
	ExperimentID string
	// Title is the experiment's title; what is written has "(simulated)" behind it.
	Title string
	// Seed decides every draw.
	Seed uint64
	// Harnesses are crossed with models and factors.
	Harnesses []string
	// Models are the model keys.
	Models []string
	// Factors are the experimental factors, fully crossed.
	Factors []Factor
	// Tasks is the number of tasks, in turn given to the repositories.
	Tasks int
	// Repositories is the number of repositories.
	Repositories int
	// Repetitions is the number of runs of each arm on each task.
	Repetitions int
	// Scenarios are strata; each task draws one, all equally likely.
	Scenarios []string
	// Difficulties are strata; each task draws one, all equally likely.
	Difficulties []string
	// Recall is file_recall_at_10 before effects.
	Recall float64
	// Resolved is the probability of resolved_at_1 before effects.
	Resolved float64
	// Effects are what is planted; a factor or pair of factors in no effect is a
	// planted null.
	Effects []Effect
	// Spread says how much tasks differ in ease: 0 not at all, 1 as much as a
	// probability can.
	Spread float64
	// RepositoryShare is the share of a task's ease that its repository decides.
	RepositoryShare float64
	// GoldFiles is the largest number of gold files of a task; each draws 1 to it.
	GoldFiles int
	// Candidates is the number of candidates of a query, at least leastCandidates.
	Candidates int
	// Steps is the number of model calls of a run, give or take two.
	Steps int
	// Faults are how many of each fault are planted; a run has one at most.
	Faults []Plant
}

// A Factor is one experimental factor.
type Factor struct {
	// Name is the factor's name.
	Name string
	// Role says which tables the factor belongs to; empty: other.
	Role string
	// Reference is the level that others are compared with.
	Reference string
	// Levels are the levels, in order.
	Levels []Level
}

// A Level is one level of a factor.
type Level struct {
	// Name is the level's name.
	Name string
	// Silent is true where runs ask nothing, so that retrieval metrics do not apply.
	Silent bool
	// Index is true where the level builds an index, which is measured.
	Index bool
	// Fits is how many of the first ten candidates fit the context budget; 0 means
	// all. With p found among the ten, Fits/10 of p is expected within the budget.
	Fits int
}

// The bounds of what a run holds.
const (
	// ranked is the number of ranks over which found gold is spread.
	ranked = 10
	// leastCandidates leaves room behind the ranks for gold that was missed.
	leastCandidates = 15
	// mostGold is the largest number of gold files that fits both places.
	mostGold = leastCandidates - ranked
	// leastSteps is the number of model calls that the course of a run needs.
	leastSteps = 4
)

// Default is a small study with main effects, an interaction, a planted null and
// no faults.
func Default() Study {
	return Study{
		ExperimentID: "simulated", Title: "Retrieval and packing", Seed: 1,
		Harnesses: []string{"sim-agent"}, Models: []string{"sim/coder@q8"},
		Factors: []Factor{
			{Name: "retriever", Role: schema.RoleRetrieval.Name, Reference: "grep", Levels: []Level{{Name: "grep"}, {Name: "bm25", Index: true}, {Name: "dense", Index: true}}},
			{Name: "query", Role: schema.RoleQuery.Name, Reference: "raw", Levels: []Level{{Name: "raw"}, {Name: "rewritten"}}},
			{Name: "packing", Role: schema.RolePacking.Name, Reference: "head", Levels: []Level{{Name: "head"}, {Name: "full", Fits: 6}}},
		},
		Tasks: 48, Repositories: 8, Repetitions: 2,
		Scenarios: []string{"bug_fix", "feature", "refactoring"}, Difficulties: []string{"easy", "medium", "hard"},
		Recall: 0.45, Resolved: 0.35,
		Effects: []Effect{
			effect(&schema.FileRecallAt10, 0.10, "retriever", "bm25"),
			effect(&schema.FileRecallAt10, 0.15, "retriever", "dense"),
			effect(&schema.FileRecallAt10, 0.20, "retriever", "dense", "query", "rewritten"),
			effect(&schema.FileRecallAt10, -0.10, difficultyKey, "hard"),
			effect(&schema.ResolvedAt1, 0.05, "retriever", "bm25"),
			effect(&schema.ResolvedAt1, 0.15, "retriever", "dense"),
			effect(&schema.ResolvedAt1, 0.15, difficultyKey, "easy"),
			effect(&schema.ResolvedAt1, -0.20, difficultyKey, "hard"),
			effect(&schema.InputTokens, 0.40, "packing", "full"),
			effect(&schema.WallTimeS, 0.20, "retriever", "dense"),
		},
		Spread: 0.6, RepositoryShare: 0.3, GoldFiles: 3, Candidates: leastCandidates, Steps: 6,
	}
}

// Runs is the number of planned runs.
func (s *Study) Runs() int {
	n := len(s.Harnesses) * len(s.Models) * s.Tasks * s.Repetitions
	for _, f := range s.Factors {
		n *= len(f.Levels)
	}
	return n
}

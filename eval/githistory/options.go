package githistory

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assay-bench/assay/schema"
)

// Defaults of Options.
const (
	// DefaultBase is the revision whose tree the tools see.
	DefaultBase = "HEAD~100"
	// DefaultHead is the last commit that can be a task.
	DefaultHead = "HEAD"
	// DefaultMaxFiles is the number of touched paths above which a commit is no task: a sweeping change has no
	// subject that could point at its files.
	DefaultMaxFiles = 25
	// DefaultLimit is how many results a tool is asked for.
	DefaultLimit = 10
	// DefaultBudget is how many tokens an answer may take, as it is told to the tool.
	DefaultBudget = 1500
	// DefaultHistory is how many commits up to base the tool can read.
	DefaultHistory = 500
	// DefaultTimeout ends one call of an outside tool.
	DefaultTimeout = time.Minute
)

// Options says what to evaluate.
type Options struct {
	// Repo is a path inside the repository.
	Repo string
	// RepoName is its name in reports and in the export's path; empty takes the name of its folder.
	RepoName string
	// Base and Head bound the tasks; empty means the defaults.
	Base, Head string
	// SkipSubjects are further patterns of subjects that count as dependency updates.
	SkipSubjects []string
	// MaxFiles is the largest number of paths that a task may touch, added ones included.
	MaxFiles int
	// Functions asks for function-level gold too.
	Functions bool
	// Sessions scores the captured cases of the checkout instead of its commits.
	Sessions bool
	// History is how many commits up to base the tools can read; negative means none.
	History int
	// CacheDir is the folder under which the export stands while the tools run.
	CacheDir string
	// Tools are the outside tools, before the built-in ones in every report.
	Tools []ToolSpec
	// Builtins names the built-in tools to run, in the order of the reports; nil means all. The popularity floor
	// always runs.
	Builtins []string
	// Query is which text of a task is asked; empty means its subject.
	Query QueryForm
	// Packing is how much of a file counts against the budget; empty means the whole file.
	Packing Packing
	// Limit is how many results are asked for, Budget how many tokens they may take.
	Limit, Budget int
	// Timeout ends one call of an outside tool.
	Timeout time.Duration
	// Cross runs every combination of the levels instead of the single values above.
	Cross *Levels
	// Jobs is how many tasks run at the same time; the results do not depend on it.
	Jobs int
	// CodeRevision is the revision of assay, which the runs record.
	CodeRevision string
	// Out is the folder of raw results that the experiment is written below; empty writes no run directories.
	Out string
	// Resume continues the experiment that stands in Out, and refuses where the tools or settings differ.
	Resume bool
	// Clock gives events their times; nil is the system's.
	Clock func() schema.Time
}

// Levels are the levels of the factors of a full factorial; the tools are a factor too.
type Levels struct {
	// Queries are the forms of the question.
	Queries []QueryForm
	// Budgets are in tokens.
	Budgets []int
	// Limits are how many results are asked for: the factor k.
	Limits []int
	// Packings say how much of a file counts against the budget.
	Packings []Packing
}

// DefaultLevels are two levels or more of each factor around the given single values.
func DefaultLevels(limit, budget int) *Levels {
	return &Levels{
		Queries:  []QueryForm{Subject, SubjectBody, KeywordList},
		Budgets:  []int{budget, 4 * budget},
		Limits:   []int{limit, 2 * limit},
		Packings: []Packing{WholeFile, OutlineOnly},
	}
}

// QueryForm is which text of a task becomes the query.
type QueryForm string

// The forms of a query.
const (
	// Subject is the commit's subject.
	Subject QueryForm = "subject"
	// SubjectBody is the subject, a line feed and the body.
	SubjectBody QueryForm = "subject+body"
	// KeywordList is the subject's keywords, joined by blanks.
	KeywordList QueryForm = "keywords"
)

// maxQueryBytes is where a long body is cut: systems bound the length of one argument.
const maxQueryBytes = 32 << 10

// Text is the query of a task in this form. A subject without keywords is asked as it stands: an empty query
// would test the tool's manners, not its index.
func (f QueryForm) Text(task Task) string {
	switch f {
	case SubjectBody:
		if task.Body != "" {
			text := task.Subject + "\n" + task.Body
			return strings.ToValidUTF8(text[:min(len(text), maxQueryBytes)], "")
		}
	case KeywordList:
		if words := Keywords(task.Subject); len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	return task.Subject
}

// Packing is how much of a file is taken to stand in a model's context.
type Packing string

// The packings.
const (
	// WholeFile counts all of its bytes.
	WholeFile Packing = "whole"
	// OutlineOnly counts the first lines of its definitions, or its first forty lines where it has none.
	OutlineOnly Packing = "outline"
)

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	o.Base, o.Head = cmp.Or(o.Base, DefaultBase), cmp.Or(o.Head, DefaultHead)
	o.MaxFiles = cmp.Or(o.MaxFiles, DefaultMaxFiles)
	o.Limit, o.Budget = cmp.Or(o.Limit, DefaultLimit), cmp.Or(o.Budget, DefaultBudget)
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.History = cmp.Or(o.History, DefaultHistory)
	o.Query, o.Packing = cmp.Or(o.Query, Subject), cmp.Or(o.Packing, WholeFile)
	o.Jobs = max(o.Jobs, 1)
	o.Repo = cmp.Or(o.Repo, ".")
	return o
}

var notNamed = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// repoName is the given name, else that of the folder, with what a path segment cannot hold replaced.
func repoName(repo *repository, given string) string {
	name := given
	if name == "" {
		dir := repo.dir
		if dir == repo.gitDir && filepath.Base(dir) == ".git" {
			dir = filepath.Dir(dir)
		}
		name = strings.TrimSuffix(filepath.Base(dir), ".git")
	}
	name = strings.Trim(notNamed.ReplaceAllString(name, "-"), ".-")
	return cmp.Or(name, "repository")
}

// ToolSpec describes one outside tool.
type ToolSpec struct {
	// Name is what reports call it.
	Name string
	// Command is its command line with the placeholders {query}, {limit}, {budget} and {repo}; for a server of the
	// Model Context Protocol only {repo} is filled in.
	Command string
	// Call is the name of the server's tool; empty for an ordinary command.
	Call string
	// Arguments is the JSON object that the server's tool is called with; the same placeholders.
	Arguments string
	// Format is how the answer is read; empty finds out.
	Format Format
	// JQ says where the paths are in a JSON answer; empty finds the usual shapes.
	JQ string
	// Expand asks each of the first that many keywords apart and interleaves the answers; 0 asks the query itself.
	Expand int
	// VersionCommand prints the tool's version, which the runs record.
	VersionCommand string
}

package githistory

import (
	"fmt"
	"regexp"
	"strings"
)

// Reason says why a commit is no task.
type Reason string

// The reasons, in the order in which they are asked: a commit is counted under the first that holds.
const (
	// Dependency is an update of dependencies by its subject, or one of the patterns given with it.
	Dependency Reason = "dependency"
	// Revert takes back or re-applies an earlier commit: its subject names another change.
	Revert Reason = "revert"
	// TooLarge touches more paths than the limit, added ones included.
	TooLarge Reason = "too_large"
	// EmptySubject has nothing to ask.
	EmptySubject Reason = "empty_subject"
	// NoGold touched no file or link that the tree of base has.
	NoGold Reason = "no_gold_at_base"
	// CommitLacking is a captured case whose commit the checkout does not have, as after a rebase.
	CommitLacking Reason = "commit_lacking"
)

// Reasons lists every reason in the order in which it is asked.
var Reasons = []Reason{Dependency, Revert, TooLarge, EmptySubject, NoGold, CommitLacking}

// Text says the reason in words, for a report.
func (r Reason) Text() string {
	switch r {
	case Dependency:
		return "dependency update"
	case Revert:
		return "revert"
	case TooLarge:
		return "too many files"
	case EmptySubject:
		return "empty subject"
	case CommitLacking:
		return "commit not in this checkout"
	}
	return "no file existed at base"
}

var (
	dependencySubject = regexp.MustCompile(`^chore\(deps\)!?:`)
	revertSubject     = regexp.MustCompile(`^(Revert|Reapply) "|^revert(\([^)]*\))?!?:`)
	revertBody        = regexp.MustCompile(`(?m)^This reverts commit [0-9a-fA-F]{4,64}\b`)
)

// skipRules decides which commits are tasks.
type skipRules struct {
	subjects []*regexp.Regexp
	maxFiles int
}

func newSkipRules(patterns []string, maxFiles int) (skipRules, error) {
	rules := skipRules{subjects: []*regexp.Regexp{dependencySubject}, maxFiles: maxFiles}
	for _, pattern := range patterns {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			return rules, fmt.Errorf("pattern of subjects to skip %q: %w", pattern, err)
		}
		rules.subjects = append(rules.subjects, compiled)
	}
	return rules, nil
}

// reason is the first that holds, or empty for a task.
func (s skipRules) reason(m message, touched int, gold int) Reason {
	for _, pattern := range s.subjects {
		if pattern.MatchString(m.subject) {
			return Dependency
		}
	}
	switch {
	case revertSubject.MatchString(m.subject), revertBody.MatchString(m.body):
		return Revert
	case touched > s.maxFiles:
		return TooLarge
	case strings.TrimSpace(m.subject) == "":
		return EmptySubject
	case gold == 0:
		return NoGold
	}
	return ""
}

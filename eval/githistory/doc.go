// Package githistory asks whether a retrieval tool points at the files that a change ends up touching.
//
// Every non-merge commit of base..head is one question: its subject is the query, the paths that it changed and
// that the tree of base already had are the answer. The tool sees the tree of base and the history before it,
// nothing later. What was left out is counted under its reason, and what a tool got wrong is a value in the
// report, never the end of the run.
//
// The package decides the task list, the skip rules, the export, the built-in baselines and the scores. It
// refuses to guess: a commit that the clone lacks is an error, a function that no parser found is missing.
// The user's repository is only read, and only by git itself (git.go).
package githistory

// Package recall evaluates a retrieval tool by questions with expected keywords: each question goes to the tool
// verbatim, and the score is the share of its keywords that stand in the bodies of the first results.
//
// Questions are checked when they are loaded (Load), asked in parallel and scored in order (Run), written as
// results.json (Results) and as run directories, compared with an earlier run (Diff) or with a baseline
// (Result.Summary and package gate), and judged as questions (Lint). A tool that fails is a verdict of that
// question; a command that cannot be started at all is an error before the first one.
//
// Keyword matching is by substring, so it is blind to meaning: a generic keyword matches any body, and a right
// answer in other words matches none. Lint finds the former.
package recall

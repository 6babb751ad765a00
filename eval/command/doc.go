// Package command runs an outside tool for an evaluator: one command line, written once with
// placeholders, started once a question without a shell, bounded in time and in output, and ended
// together with everything it started.
//
// A tool that fails, hangs or prints too much is a value (Result.Status), because that is a finding
// about the tool. A command that cannot be started at all is an error (Resolve), because that is a
// finding about the environment, and has to be known before the first question.
package command

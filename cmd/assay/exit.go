package main

import (
	"context"
	"errors"
)

// An exitCode is one way in which a command ends.
type exitCode struct {
	// number is the exit status.
	number int
	// name is what scripts and documents call it.
	name string
	// meaning says when a command ends this way.
	meaning string
}

// The exit codes.
var (
	exitDone        = exitCode{0, "done", "done"}
	exitFailed      = exitCode{1, "failed", "could not do it; nothing was written"}
	exitUsage       = exitCode{2, "usage", "the command line is wrong"}
	exitNotClean    = exitCode{3, "not clean", "done, and what was found is not clean: findings of severity error or warning, files left out, a regression, a difference; --exit-zero turns it into 0"}
	exitUndecided   = exitCode{4, "cannot decide", "cannot decide: too few pairs, not comparable, nothing measured"}
	exitInterrupted = exitCode{130, "interrupted", "interrupted; nothing half-written"}
)

// exitCodes lists every exit code.
var exitCodes = []exitCode{exitDone, exitFailed, exitUsage, exitNotClean, exitUndecided, exitInterrupted}

// An exitError ends a command with a code other than exitFailed. Its text may be
// empty where the command has said everything already.
type exitError struct {
	code exitCode
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return e.code.meaning
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usageError(err error) error { return &exitError{exitUsage, err} }

// notClean ends a command that did its work and found something.
func notClean() error { return &exitError{code: exitNotClean} }

// codeOf maps what a command returned to its exit code.
func codeOf(err error) exitCode {
	var e *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &e):
		return e.code
	}
	return exitFailed
}

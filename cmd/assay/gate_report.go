package main

import (
	"io"
	"slices"

	"github.com/assay-bench/assay/eval/gate"
)

// reportGate prints a verdict, writes the files that were asked for, and ends with its exit code.
func (a *app) reportGate(r gate.Report, rules gateRules) error {
	for _, file := range []struct {
		path  string
		write func(io.Writer) error
	}{{rules.junit, r.JUnit}, {rules.markdown, r.Markdown}} {
		if file.path == "" {
			continue
		}
		if err := writeFile(file.path, file.write); err != nil {
			return err
		}
	}
	write := r.Text
	if a.json {
		write = r.JSON
	}
	if err := write(a.out); err != nil {
		return err
	}
	return verdictError(r.Verdict)
}

// verdictError ends a command whose report has said everything with the exit code of its verdict.
func verdictError(v gate.Verdict) error {
	if v == gate.Pass {
		return nil
	}
	i := slices.IndexFunc(exitCodes, func(c exitCode) bool { return c.number == v.ExitCode() })
	return &exitError{code: exitCodes[i]}
}

// writeSummary writes a baseline file.
func (a *app) writeSummary(path string, s gate.Summary) error {
	text, err := s.Format()
	if err != nil {
		return err
	}
	if err := writeFile(path, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	a.say("%s: %d %s", path, s.Tasks, "tasks; commit it with the reason for the change")
	return nil
}

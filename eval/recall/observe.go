package recall

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/eval/command"
)

// placeSummary is where the result goes in the command of Observe.
const placeSummary = "summary"

// Observer records results where the user keeps such notes.
type Observer struct {
	line     string
	template command.Template
}

// ParseObserver checks the command, which must have a {summary} in it, before anything runs.
func ParseObserver(line string) (Observer, error) {
	template, err := command.Parse(line)
	if err != nil {
		return Observer{}, err
	}
	if !template.Uses(placeSummary) {
		return Observer{}, fmt.Errorf("command %q: have no {%s}, want the place of the result", line, placeSummary)
	}
	if _, err := command.Resolve(template.Fill()); err != nil {
		return Observer{}, err
	}
	return Observer{line: line, template: template}, nil
}

// Observe runs the command once with Result.Observation as one argument. The results are written before, so an
// error here loses nothing but the note.
func (o Observer) Observe(ctx context.Context, r Result) error {
	result := command.Run(ctx, command.Options{Args: o.template.Fill(command.Value{Name: placeSummary, Text: r.Observation()})})
	if result.Status != command.OK {
		return fmt.Errorf("observation %q: %s", o.line, result.Reason)
	}
	return nil
}

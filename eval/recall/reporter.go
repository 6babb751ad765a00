package recall

import (
	"fmt"
	"strings"
)

// reporter hands on outcomes in the order of the questions.
type reporter struct {
	questions []Question
	runs      *rawRuns           // nil where no run directories are asked for
	earlier   map[string]Outcome // of an interrupted run
	begun     bool
	progress  func(Outcome)
}

// reporter prepares to write, and takes over what an interrupted run has finished.
func (o Options) reporter(setup Setup, left journal, questions []Question) (*reporter, error) {
	r := &reporter{questions: questions, earlier: map[string]Outcome{}}
	if o.Raw == nil {
		return r, nil
	}
	var err error
	if r.runs, err = o.Raw.runs(setup, o.Target); err != nil || !o.resuming() {
		return r, err
	}
	if differ := r.runs.head.differences(left.head); len(differ) > 0 {
		return nil, fmt.Errorf("%s: cannot be resumed: %s", o.Raw.journal(), strings.Join(differ, "; "))
	}
	for _, q := range questions {
		result, asked := left.done[q.ID.String()]
		if !asked {
			continue
		}
		whole, err := r.runs.finished(q)
		if err != nil {
			return nil, err
		}
		if whole {
			r.earlier[q.ID.String()] = result.restore(q, o.Features)
		}
	}
	return r, nil
}

// done leaves the run directory of an outcome, then tells of it. The experiment begins with the first outcome: a
// command that cannot be started leaves nothing.
func (r *reporter) done(o Outcome, place int) error {
	if r.runs != nil {
		if !r.begun {
			if err := r.runs.begin(r.questions); err != nil {
				return err
			}
			r.begun = true
		}
		if !o.earlier {
			if err := r.runs.write(o, place); err != nil {
				return fmt.Errorf("question %s: %w", o.Question.ID, err)
			}
		}
	}
	if r.progress != nil {
		r.progress(o)
	}
	return nil
}

// close ends the experiment where all is done; an unfinished one keeps its journal.
func (r *reporter) close(complete bool) error {
	switch {
	case !r.begun:
		return nil
	case complete:
		return r.runs.end()
	default:
		return r.runs.journal.Close()
	}
}

package recall

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// journalFile stands in the folder of an experiment as long as it is not finished. Run directories hold no bodies and
// no keywords, so this is what an interrupted evaluation is resumed from: the setup, then a line a question.
const journalFile = "recall.partial.jsonl"

// journalHead is the first line of a journal: what has to be the same for a run to go on.
type journalHead struct {
	Config       harnessConfig `json:"config"`
	CodeRevision string        `json:"code_revision"`
}

// journal is what an earlier, interrupted run of the same experiment left.
type journal struct {
	head journalHead
	done map[string]QuestionResult
}

// readJournal reads what was left. A last line that was cut is dropped; the later of two lines of a question counts.
func readJournal(path string) (journal, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return journal{}, fmt.Errorf("%s: have no such file, want an interrupted evaluation", path)
	}
	if err != nil {
		return journal{}, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	left := journal{done: map[string]QuestionResult{}}
	number := 0
	for line := range bytes.Lines(whole) {
		number++
		if number == 1 {
			err = json.Unmarshal(line, &left.head)
		} else {
			var q QuestionResult
			if err = json.Unmarshal(line, &q); err == nil {
				err = q.check()
			}
			left.done[q.ID.String()] = q
		}
		if err != nil {
			return journal{}, fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	if number == 0 {
		return journal{}, fmt.Errorf("%s: have no whole line, want the setup of an evaluation", path)
	}
	return left, nil
}

// differences are what is other than in the earlier run. The hash of the preparation is not among them: it was taken
// over from there.
func (h journalHead) differences(earlier journalHead) []string {
	var list []string
	before, now := earlier.Config, h.Config
	for _, part := range []struct{ name, before, now string }{
		{"revision of assay", earlier.CodeRevision, h.CodeRevision},
		{"scoring", before.EvaluatorVersion, now.EvaluatorVersion},
		{"tool", before.Setup.Tool.Name, now.Setup.Tool.Name},
		{"command", before.Setup.Tool.Command, now.Setup.Tool.Command},
		{"tool of the server", before.Setup.Tool.Call + " " + before.Setup.Tool.Args, now.Setup.Tool.Call + " " + now.Setup.Tool.Args},
		{"executable", before.Setup.Tool.SHA256, now.Setup.Tool.SHA256},
		{"tool version", before.Setup.Tool.Version, now.Setup.Tool.Version},
		{"limit", fmt.Sprint(before.Setup.Limit), fmt.Sprint(now.Setup.Limit)},
		{"path to the bodies", before.Setup.Bodies, now.Setup.Bodies},
		{"features", strings.Join(before.Setup.Features, ","), strings.Join(now.Setup.Features, ",")},
		{"questions", before.Setup.QuestionsSHA256, now.Setup.QuestionsSHA256},
		{"timeout in ms", fmt.Sprint(before.TimeoutMS), fmt.Sprint(now.TimeoutMS)},
		{"largest answer in bytes", fmt.Sprint(before.MaxBytes), fmt.Sprint(now.MaxBytes)},
	} {
		if part.before != part.now {
			list = append(list, fmt.Sprintf("other %s: %s before, %s now", part.name, orNone(part.before), orNone(part.now)))
		}
	}
	return list
}

// journal is the place of the journal.
func (raw Raw) journal() string { return filepath.Join(raw.Root, raw.ExperimentID, journalFile) }

// openJournal goes on with the journal behind its last whole line, or begins it in a folder that holds no experiment.
func (r *rawRuns) openJournal() (err error) {
	path := r.raw.journal()
	if r.raw.Resume {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.Truncate(path, int64(bytes.LastIndexByte(data, '\n')+1)); err != nil {
			return err
		}
		r.journal, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		return err
	}
	if r.has(schema.DocumentPlan.File) {
		return fmt.Errorf("%s: have an experiment, want none: each evaluation is a new one", filepath.Dir(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if r.journal, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return err
	}
	line, err := json.Marshal(r.head)
	if err != nil {
		return err
	}
	return appendLine(r.journal, line)
}

// appendLine writes a line whole: a line feed comes last.
func appendLine(file *os.File, value []byte) error {
	_, err := file.Write(append(value, '\n'))
	return err
}

// restore is the outcome of a question that an earlier run has asked. Of its bodies only the kept ones are there.
func (r QuestionResult) restore(q Question, features Features) Outcome {
	o := Outcome{
		Question: q, Verdict: r.Verdict, Scored: r.Score != nil, Matched: r.Matched, Missed: r.Missed, Forbidden: r.Forbidden,
		Answer: Answer{Reason: r.Reason}, earlier: true,
	}
	for _, body := range r.TopBodies {
		o.Answer.Results = append(o.Answer.Results, Found{Body: body})
	}
	if o.Scored {
		for i, keyword := range q.Keywords {
			weight := q.weight(i, features)
			o.Score.Total += weight
			if slices.Contains(r.Matched, keyword) {
				o.Score.Hits += weight
			}
		}
	}
	return o
}

// finished says that the run directory of a question is there and whole.
func (r *rawRuns) finished(q Question) (bool, error) {
	manifest, err := record.Complete(r.manifestOf(q))
	if err != nil {
		return false, err
	}
	path := filepath.Join(r.raw.Root, filepath.FromSlash(record.RunPath(&manifest)), schema.TrajectoryFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	event, _ := schema.NewEventDecoder().Decode(lines[len(lines)-1])
	return event != nil && event.Type == &schema.EventRunFinished, nil
}

package githistory

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// finished reads the answer of a run that was finished before; false where there is none.
func (r *recorder) finished(task Task, a int, b *baselines, known pathSet) (Answer, bool, error) {
	if !r.opts.Resume {
		return Answer{}, false, nil
	}
	manifest, err := record.Complete(r.manifest(task, a, b))
	if err != nil {
		return Answer{}, false, err
	}
	file, err := os.Open(filepath.Join(r.root, filepath.FromSlash(record.RunPath(&manifest)), schema.TrajectoryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Answer{}, false, nil
	}
	if err != nil {
		return Answer{}, false, err
	}
	defer file.Close()
	return readAnswer(file, known)
}

// readAnswer rebuilds an answer from the events of its run; false where the run has no end or cannot be read:
// it is then set aside and made again.
func readAnswer(in io.Reader, known pathSet) (Answer, bool, error) {
	answer := Answer{Status: StatusOK}
	lines, decoder := bufio.NewReaderSize(in, 1<<16), schema.NewEventDecoder()
	calls := map[string]*Call{}
	var order []string
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return Answer{}, false, nil
		}
		if err != nil {
			return Answer{}, false, err
		}
		event, violations := decoder.Decode(line)
		if len(violations) > 0 || event == nil {
			return Answer{}, false, nil
		}
		switch {
		case event.RetrievalQuery != nil && event.Type == &schema.EventRetrievalQuery:
			q := event.RetrievalQuery
			calls[strings.Clone(q.QueryID)] = callOf(q)
			order = append(order, strings.Clone(q.QueryID))
		case event.RetrievalCandidate != nil && event.Type == &schema.EventRetrievalCandidate:
			if call := calls[event.RetrievalCandidate.QueryID]; call != nil {
				call.Hits = append(call.Hits, hitOf(event.RetrievalCandidate, known))
			}
		case event.Type == &schema.EventRunFinished:
			answer.Reason = strings.Clone(event.RunFinished.ErrorType.Or(""))
			for _, id := range order {
				answer.take(id, *calls[id])
			}
			return answer, true, nil
		}
	}
}

// take adds one query of a finished run to its answer.
func (a *Answer) take(id string, call Call) {
	if id == finalKind {
		a.Fusion, a.Hits, a.Status = "interleave", call.Hits, call.Status
		return
	}
	if call.Status != StatusOK {
		call.Reason = a.Reason
		a.Status = call.Status
	}
	a.Calls = append(a.Calls, call)
	a.Hits = call.Hits
}

func callOf(q *schema.RetrievalQuery) *Call {
	return &Call{
		Text: strings.Clone(q.Query.Or("")), Status: Status(strings.Clone(q.Status)), Bytes: int(q.ResultBytes.Or(0)),
		Elapsed: time.Duration(q.LatencyMS.Or(0) * float64(time.Millisecond)),
	}
}

func hitOf(c *schema.RetrievalCandidate, known pathSet) Hit {
	file := strings.Clone(c.File.Or(""))
	_, ok := known[file]
	hit := Hit{File: file, Known: ok, Symbol: strings.Clone(c.Symbol.Or(""))}
	hit.StartLine, hit.EndLine = int(c.StartLine.Or(0)), int(c.EndLine.Or(0))
	hit.Score, hit.HasScore = c.Score.Get()
	if c.Fusion != nil {
		for _, s := range c.Fusion.Sources {
			hit.Sources = append(hit.Sources, Source{Name: strings.Clone(s.Source.Or("")), Rank: int(s.Rank.Or(0)), Score: s.Score.Or(0)})
		}
	}
	return hit
}

// differs says why the experiment that is there cannot be gone on with: which settings of which tool are others.
func (r *recorder) differs() error {
	found, err := filepath.Glob(filepath.Join(r.root, "*", schema.DocumentPlan.File))
	if err != nil || len(found) == 0 {
		return fmt.Errorf("%s: have no experiment, want one to resume", r.root)
	}
	var changes []string
	for _, planFile := range found {
		for a, arm := range r.arms {
			was, ok := r.recorded(filepath.Dir(planFile), arm)
			if change := changed(was, string(r.configs[a])); ok && change != "" {
				changes = append(changes, arm.Tool+": "+change)
			}
		}
	}
	slices.Sort(changes)
	changes = slices.Compact(changes)
	if len(changes) == 0 {
		changes = []string{"the tasks, the tools or the revision of the code are others"}
	}
	return fmt.Errorf("%s: cannot be resumed: %s", r.root, strings.Join(changes, "; "))
}

// recorded is the configuration that some run of an arm's tool was made with, the one with the arm's own levels
// before others.
func (r *recorder) recorded(experiment string, arm Arm) (string, bool) {
	manifests, err := filepath.Glob(filepath.Join(experiment, schema.PathID(arm.Tool), "*", "*", schema.DocumentManifest.File))
	if err != nil {
		return "", false
	}
	last := ""
	for _, file := range manifests {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var m schema.Manifest
		if json.Unmarshal(text, &m) != nil {
			continue
		}
		last = string(m.HarnessConfig)
		var c harnessConfig
		if json.Unmarshal([]byte(last), &c) == nil && c.Query == arm.Query && c.Packing == arm.Packing {
			return last, true
		}
	}
	return last, last != ""
}

// changed names the first member in which two configurations differ, as "version: have "2", want "1"".
func changed(was, is string) string {
	var before, after map[string]jsontext.Value
	if json.Unmarshal([]byte(was), &before) != nil || json.Unmarshal([]byte(is), &after) != nil {
		return ""
	}
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.SortFunc(sorted, cmp.Compare[string])
	for _, name := range sorted {
		if have, want := string(after[name]), string(before[name]); have != want {
			return fmt.Sprintf("%s: have %s, want %s", name, cmp.Or(have, "none"), cmp.Or(want, "none"))
		}
	}
	return ""
}

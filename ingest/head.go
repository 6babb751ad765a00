package ingest

import (
	"slices"

	"github.com/assay-bench/assay/schema"
)

// ReadTask reads what the first event of a run says of its task. It is nil where
// the run does not begin with a run_started without fault. Like an event it
// belongs to the Reader.
func (r *Reader) ReadTask(dir RunDir) (*schema.Task, error) {
	run := Run{Dir: dir}
	r.begin(&run)
	defer r.begin(nil)
	var names []string
	for _, name := range trajectoryNames {
		found, err := r.lookup(name)
		if err != nil {
			return nil, err
		}
		if found == artifactRead {
			names = append(names, name)
		}
	}
	if len(names) != 1 {
		return nil, nil
	}
	if err := r.source.open(r.location(names[0])); err != nil {
		return nil, r.unreadable(names[0], err)
	}
	defer r.source.file.Close()
	return r.firstTask(names[0])
}

// firstTask decodes the first line that is not blank; damage is left to ReadRun.
func (r *Reader) firstTask(name string) (*schema.Task, error) {
	text, err := r.compressed.open(name, &r.source)
	if err != nil {
		return nil, nil
	}
	r.lines.reset(text)
	for {
		line, p, how, err := r.lines.next()
		if err != nil || how == endTooLong {
			return nil, nil
		}
		if p.Line == 1 {
			line = trimBOM(line)
		}
		if isBlank(line) {
			continue
		}
		event, violations := r.events.Decode(line)
		if clean, secrets := r.lineSecrets(line, event != nil); len(secrets) > 0 {
			event, _ = r.events.Decode(slices.Clone(clean))
		}
		if event == nil || event.RunStarted == nil || len(violations) > 0 {
			return nil, nil
		}
		return &event.RunStarted.Task, nil
	}
}

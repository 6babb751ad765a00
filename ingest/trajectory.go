package ingest

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A trajectory is the state of reading one trajectory.
type trajectory struct {
	r     *Reader
	visit func(*schema.Event, schema.Position)
	file  string
	// text is the line that is being judged.
	text []byte
	// runID and version are the manifest's, or empty.
	runID   string
	version string
	// versionNewer says that the manifest's version is of a newer minor.
	versionNewer bool

	events      int64 // readable events seen
	last        int64 // seq of the last one
	expected    int64 // the next seq, or 0 after a line that cannot be read
	lastLine    int64
	finish      schema.Position // of run_finished; Line 0 before it
	afterFinish bool
	unreadable  bool // the last line cannot be read
	unknown     bool // some line gave no event
	unsupported bool // an event of another major version was met
	cut         bool
	newer       bool
	foreignID   string
	foreignVer  string
	artifacts   schema.Members[string]
}

func newTrajectory(r *Reader, visit func(*schema.Event, schema.Position)) *trajectory {
	t := &trajectory{r: r, visit: visit, expected: 1}
	if m := r.run.Manifest; m != nil {
		t.runID, t.version = m.RunID, m.SchemaVersion
		_, t.versionNewer, _ = version(m.SchemaVersion)
	}
	return t
}

// readTrajectory reads the one trajectory of the directory.
func (r *Reader) readTrajectory(files fileSet, t *trajectory) error {
	var names []string
	for _, name := range trajectoryNames {
		if files.has(name) {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		r.report(finding{code: &schema.TrajectoryMissing, file: schema.TrajectoryFile, have: "no such file", want: "the events of the run"})
		return nil
	case 1:
	default:
		r.report(finding{code: &schema.TrajectoryAmbiguous, file: names[0], have: strings.Join(names, " and "), want: "one trajectory"})
		return r.hashOnly(names)
	}
	t.file, r.run.Trajectory = names[0], names[0]
	if r.hasVersionFault() {
		return r.hashOnly(names)
	}
	_, err := r.readFile(t.file, t.read)
	return err
}

// hasVersionFault reports whether the manifest is of a contract unknown here.
func (r *Reader) hasVersionFault() bool {
	for _, f := range r.run.Findings {
		if f.Code == &schema.ManifestVersionUnsupported {
			return true
		}
	}
	return false
}

// hashOnly reads files for their hash alone.
func (r *Reader) hashOnly(names []string) error {
	for _, name := range names {
		if _, err := r.readFile(name, func() error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// read takes the lines of the reader's open file.
func (t *trajectory) read() error {
	text, err := t.r.compressed.open(t.file, &t.r.source)
	if err != nil {
		return err
	}
	t.r.lines.reset(text)
	for {
		line, p, how, err := t.r.lines.next()
		if errors.Is(err, io.EOF) {
			t.end()
			return nil
		}
		if err != nil {
			return err
		}
		t.line(line, p, how)
	}
}

// line judges one line.
func (t *trajectory) line(line []byte, p schema.Position, how lineEnd) {
	if how == endTooLong {
		t.lastLine = p.Line
		t.r.report(finding{code: &schema.LineTooLong, file: t.file, line: p.Line, have: strconv.FormatInt(p.Length, 10) + " bytes", want: "at most 64 MiB"})
		t.lost()
		return
	}
	if p.Line == 1 {
		n := len(line)
		line = trimBOM(line)
		p.Offset += int64(n - len(line))
	}
	if how == endNewline {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	p.Length = int64(len(line))
	if isBlank(line) {
		return
	}
	t.lastLine = p.Line
	event, violations := t.r.events.Decode(line)
	t.text = line
	clean, secrets := t.r.lineSecrets(line, event != nil)
	if event == nil {
		t.broken(p, how, violations, secrets)
		return
	}
	t.unreadable = false
	t.judge(event, p, violations, secrets)
	if len(secrets) > 0 {
		t.r.reportSecrets(t.file, p.Line, secrets)
		event, _ = t.r.events.Decode(clean)
	}
	if event != nil && event.Type != nil && !t.r.dropped {
		t.r.run.Events++
		if t.visit != nil {
			t.visit(event, p)
		}
	}
}

func isBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// lost notes that a line gave no event: the next readable one sets the number.
func (t *trajectory) lost() { t.expected, t.unreadable, t.unknown = 0, true, true }

// broken judges a line that is not one JSON object. A last line without newline
// was cut, when the run has not finished.
func (t *trajectory) broken(p schema.Position, how lineEnd, violations []schema.Violation, secrets []schema.Secret) {
	v := violations[0]
	if how == endFile && t.finish.Line == 0 && (v.Code == &schema.JSONSyntax || v.Code == &schema.InvalidUTF8) {
		t.cut = true
		t.r.report(finding{code: &schema.Truncated, file: t.file, line: p.Line, column: int64(v.Offset) + 1, have: "a line without its end", want: "a whole line, and run_finished"})
		return
	}
	t.violations(p, violations, secrets, false)
	t.r.reportSecrets(t.file, p.Line, secrets)
	t.lost()
}

// report reports a fault of the value that f points to, in the line at hand.
func (t *trajectory) report(f finding) {
	if at, ok := schema.ValueOffset(t.text, f.pointer); ok {
		f.column = int64(at) + 1
	}
	t.r.report(f)
}

func (t *trajectory) violations(p schema.Position, list []schema.Violation, secrets []schema.Secret, newer bool) {
	for _, v := range list {
		f := finding{code: v.Code, file: t.file, line: p.Line, column: int64(v.Offset) + 1, pointer: v.Pointer, have: haveOf(secrets, v), want: v.Want}
		if newer && v.Code.NewerMinor {
			f.severity = schema.SeverityInfo
		}
		t.r.report(f)
	}
}

// judge holds a readable line to the rules that reach beyond it.
func (t *trajectory) judge(e *schema.Event, p schema.Position, violations []schema.Violation, secrets []schema.Secret) {
	readable, newer, want := true, t.versionNewer, ""
	if t.version == "" || e.SchemaVersion != t.version {
		readable, newer, want = version(e.SchemaVersion)
	}
	if !readable {
		t.otherVersion(e, p, want)
		t.unsupported, t.unknown, t.expected = true, true, 0
		return
	}
	if newer && !t.newer {
		t.newer = true
		t.report(newerMinor(t.file, p.Line, e.SchemaVersion))
	}
	switch {
	case t.version == "" || e.SchemaVersion == "" || e.SchemaVersion == t.version:
		t.foreignVer = ""
	default:
		t.otherVersion(e, p, t.version)
	}
	t.violations(p, violations, secrets, newer)
	t.sequence(e, p)
	t.identity(e, p)
	t.order(e, p)
	t.events++
}

// otherVersion reports an event of another version, once for a row of them.
func (t *trajectory) otherVersion(e *schema.Event, p schema.Position, want string) {
	if t.foreignVer == e.SchemaVersion {
		return
	}
	t.foreignVer = strings.Clone(e.SchemaVersion)
	t.report(finding{code: &schema.EventVersionUnsupported, file: t.file, line: p.Line, pointer: "/schema_version", have: e.SchemaVersion, want: want})
}

// sequence holds seq to rising by one from 1.
func (t *trajectory) sequence(e *schema.Event, p schema.Position) {
	if e.Seq < 1 {
		// Reported with the line; the next readable one sets the number.
		t.expected = 0
		return
	}
	switch {
	case t.last > 0 && e.Seq <= t.last:
		t.outOfSequence(&schema.SeqRepeated, e.Seq, p)
		return
	case t.expected > 0 && e.Seq > t.expected:
		t.outOfSequence(&schema.SeqGap, e.Seq, p)
	}
	t.last = e.Seq
	// Behind the largest number of all there is none to expect.
	if t.expected = e.Seq + 1; t.expected < 0 {
		t.expected = 0
	}
}

func (t *trajectory) outOfSequence(code *schema.FindingCode, seq int64, p schema.Position) {
	want := strconv.FormatInt(t.expected, 10)
	if t.expected == 0 {
		want = "above " + strconv.FormatInt(t.last, 10)
	}
	t.report(finding{code: code, file: t.file, line: p.Line, pointer: "/seq", have: strconv.FormatInt(seq, 10), want: want})
}

// identity holds an event to the run of the manifest; a row of foreign events is
// one finding.
func (t *trajectory) identity(e *schema.Event, p schema.Position) {
	switch {
	case t.runID == "" || e.RunID == "" || e.RunID == t.runID:
		t.foreignID = ""
	case e.RunID != t.foreignID:
		t.foreignID = strings.Clone(e.RunID)
		t.report(finding{code: &schema.EventRunIDMismatch, file: t.file, line: p.Line, pointer: "/run_id", have: e.RunID, want: t.runID})
	}
}

// order holds run_started to the first place and run_finished to the last.
func (t *trajectory) order(e *schema.Event, p schema.Position) {
	name := "an unknown type"
	if e.Type != nil {
		name = e.Type.Name
	}
	started := e.Type == &schema.EventRunStarted
	if t.events == 0 && !started && !t.unknown || t.events > 0 && started {
		t.report(finding{code: &schema.NotStartedFirst, file: t.file, line: p.Line, pointer: "/type", have: name, want: schema.EventRunStarted.Name + " first and once"})
	}
	if t.finish.Line > 0 && !t.afterFinish {
		t.afterFinish = true
		t.report(finding{code: &schema.EventsAfterFinish, file: t.file, line: p.Line, pointer: "/type", have: name, want: "nothing after run_finished at line " + strconv.FormatInt(t.finish.Line, 10)})
	}
	if e.Type == &schema.EventRunFinished && t.finish.Line == 0 {
		t.finish, t.r.run.Finished = p, true
		t.keepArtifacts(e.RunFinished)
	}
}

// keepArtifacts keeps the list of files, and the line that it stands in, until the
// files were read.
func (t *trajectory) keepArtifacts(f *schema.RunFinished) {
	t.r.finish = append(t.r.finish[:0], t.text...)
	for _, a := range f.Artifacts {
		t.artifacts = append(t.artifacts, schema.Member[string]{Name: strings.Clone(a.Name), Value: strings.Clone(a.Value)})
	}
}

// end judges the trajectory as a whole.
func (t *trajectory) end() {
	switch {
	case t.lastLine == 0:
		t.r.report(finding{code: &schema.TrajectoryEmpty, file: t.file, have: "no line", want: "at least run_started and run_finished"})
	case t.finish.Line == 0 && !t.cut && !t.unreadable && !t.unsupported:
		t.r.report(finding{code: &schema.RunUnfinished, file: t.file, line: t.lastLine, have: "no run_finished", want: "run_finished last"})
	}
}

package githistory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"github.com/assay-bench/assay/eval/command"
	"github.com/assay-bench/assay/eval/mcptool"
)

// place is where outside tools run: in the export, with nothing around them that leads to the user's repository.
type place struct {
	snapshot *snapshot
	env      []string
	timeout  time.Duration
}

// hide is the environment of an outside tool: no variable of git, none whose value leads to one of the hidden
// folders, and from lists of folders only the parts that do not. A tool that is told nothing else can still look
// at the whole machine; what it must not get is a hint.
func hide(environ, hidden []string, root string) []string {
	var kept []string
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "GIT_") || name == "PWD" || name == "OLDPWD" {
			continue
		}
		if name == "HOME" || !leads(value, hidden) {
			kept = append(kept, pair)
			continue
		}
		var parts []string
		for part := range strings.SplitSeq(value, string(filepath.ListSeparator)) {
			if !leads(part, hidden) {
				parts = append(parts, part)
			}
		}
		if len(parts) > 0 && strings.Contains(name, "PATH") {
			kept = append(kept, name+"="+strings.Join(parts, string(filepath.ListSeparator)))
		}
	}
	return append(kept, "PWD="+root, "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
}

func leads(value string, hidden []string) bool {
	for _, dir := range hidden {
		if strings.Contains(value, dir) {
			return true
		}
	}
	return false
}

// values are what the placeholders of a command line or of arguments stand for.
func (p place) values(q Query) []command.Value {
	return []command.Value{
		{Name: "query", Text: q.Text},
		{Name: "limit", Text: strconv.Itoa(q.Limit)},
		{Name: "budget", Text: strconv.Itoa(q.Budget)},
		{Name: "repo", Text: p.snapshot.root},
	}
}

// asksBudget says whether the answers of an outside tool can depend on the budget.
func (t ToolSpec) asksBudget() bool { return strings.Contains(t.Command+t.Arguments, "{budget}") }

// reader turns what a tool printed into hits.
type reader struct {
	format Format
	jq     *gojq.Code
}

func newReader(spec ToolSpec) (reader, error) {
	code, err := compileJQ(spec.JQ)
	return reader{format: spec.Format, jq: code}, err
}

// read fills in a call from the text of an answer. The root is cut off before the answer is counted, so that its
// size does not depend on where the cache is.
func (r reader) read(call Call, text []byte, s *snapshot) Call {
	call.Bytes = len(bytes.ReplaceAll(text, []byte(s.root+"/"), nil))
	paths, err := parseAnswer(text, r.format, r.jq)
	if err != nil {
		call.Status, call.Reason = StatusError, oneLine(err.Error())
		return call
	}
	for _, path := range paths {
		file, known := s.paths.clean(path, s.root)
		call.Hits = append(call.Hits, Hit{File: file, Known: known})
	}
	return call
}

func oneLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(first, "\uFFFD")
}

// commandTool starts a program once a query.
type commandTool struct {
	reader
	place
	template command.Template
	program  string
}

// newCommandTool finds the program; an error means that it cannot be started at all.
func newCommandTool(spec ToolSpec, p place) (*commandTool, command.Executable, error) {
	template, err := command.Parse(spec.Command)
	if err != nil {
		return nil, command.Executable{}, err
	}
	read, err := newReader(spec)
	if err != nil {
		return nil, command.Executable{}, err
	}
	executable, err := command.Resolve(template.Fill(p.values(Query{})...))
	return &commandTool{reader: read, place: p, template: template, program: executable.Path}, executable, err
}

// Search runs the program. Exit status 1 with nothing printed at all is how grep and its kin say that nothing was
// found; every other status but 0 is an error.
func (c *commandTool) Search(ctx context.Context, q Query) (Answer, error) {
	args := c.template.Fill(c.values(q)...)
	args[0] = c.program
	result := command.Run(ctx, command.Options{Args: args, Dir: c.snapshot.root, Env: c.env, Timeout: c.timeout})
	if err := ctx.Err(); err != nil {
		return Answer{}, context.Cause(ctx)
	}
	call := Call{Text: q.Text, Status: StatusOK, Elapsed: result.Elapsed}
	nothing := result.ExitCode == 1 && len(result.Stdout) == 0 && result.Stderr == ""
	switch {
	case result.Status == command.TimedOut:
		call.Status, call.Reason = StatusTimeout, result.Reason
	case result.Status != command.OK && !nothing:
		call.Status, call.Reason = StatusError, oneLine(strings.ReplaceAll(result.Reason, c.snapshot.root, "."))
	default:
		call = c.read(call, result.Stdout, c.snapshot)
	}
	return single(call), nil
}

// Close has nothing to end: every call ended by itself.
func (c *commandTool) Close() error { return nil }

// serverTool calls a tool of a running server of the Model Context Protocol.
type serverTool struct {
	reader
	place
	client    *mcptool.Client
	call      string
	arguments string
}

// newServerTool starts the server and checks that it has the tool; an error means that it is no usable server.
func newServerTool(ctx context.Context, spec ToolSpec, p place) (*serverTool, command.Executable, error) {
	var none command.Executable
	template, err := command.Parse(spec.Command)
	if err != nil {
		return nil, none, err
	}
	read, err := newReader(spec)
	if err != nil {
		return nil, none, err
	}
	if _, err := mcptool.Arguments(spec.Arguments, p.values(Query{})...); err != nil {
		return nil, none, err
	}
	args := template.Fill(command.Value{Name: "repo", Text: p.snapshot.root})
	executable, err := command.Resolve(args)
	if err != nil {
		return nil, none, err
	}
	args[0] = executable.Path
	ctx, cancel := context.WithTimeout(ctx, mcptool.StartLimit)
	defer cancel()
	client, err := mcptool.StartIn(ctx, mcptool.Place{Dir: p.snapshot.root, Env: p.env}, args)
	if err != nil {
		return nil, none, err
	}
	tool := &serverTool{reader: read, place: p, client: client, call: spec.Call, arguments: spec.Arguments}
	names, err := client.Tools(ctx)
	if err == nil && !contains(names, spec.Call) {
		err = fmt.Errorf("server has no tool %q, want one of %s", spec.Call, strings.Join(names, ", "))
	}
	if err != nil {
		client.Close()
		return nil, none, err
	}
	return tool, executable, nil
}

func contains(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

// Search calls the tool once.
func (s *serverTool) Search(ctx context.Context, q Query) (Answer, error) {
	call := Call{Text: q.Text, Status: StatusOK}
	arguments, err := mcptool.Arguments(s.arguments, s.values(q)...)
	if err != nil {
		return Answer{}, err
	}
	reply, err := s.client.Call(ctx, s.timeout, s.call, json.RawMessage(arguments))
	call.Elapsed = reply.Elapsed
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		call.Status, call.Reason = StatusTimeout, fmt.Sprintf("no end after %v", s.timeout)
	case err != nil:
		call.Status, call.Reason = StatusError, oneLine(strings.ReplaceAll(err.Error(), s.snapshot.root, "."))
	default:
		call = s.read(call, []byte(reply.Text), s.snapshot)
	}
	return single(call), nil
}

// Close ends the server.
func (s *serverTool) Close() error { return s.client.Close() }

// expandTool asks each of the first keywords of a query apart and interleaves the answers by rank, the way an
// agent uses a tool that matches names rather than sentences.
type expandTool struct {
	inner Tool
	first int
}

// Search asks the keywords in their order. A keyword that fails makes the answer an error; what the others named
// is kept for the record and counts for nothing.
func (e expandTool) Search(ctx context.Context, q Query) (Answer, error) {
	words := Keywords(q.Text)
	answer := Answer{Status: StatusOK, Fusion: "interleave"}
	var lists [][]Hit
	for _, word := range words[:min(e.first, len(words))] {
		one, err := e.inner.Search(ctx, Query{Text: word, Limit: q.Limit, Budget: q.Budget})
		if err != nil {
			return Answer{}, err
		}
		answer.Calls = append(answer.Calls, one.Calls...)
		lists = append(lists, one.Hits)
		if one.Status != StatusOK && answer.Status == StatusOK {
			answer.Status, answer.Reason = one.Status, word+": "+one.Reason
		}
	}
	answer.Hits = interleave(lists)
	return answer, nil
}

// Close ends the inner tool.
func (e expandTool) Close() error { return e.inner.Close() }

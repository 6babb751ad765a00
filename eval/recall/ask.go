package recall

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/eval/command"
	"github.com/assay-bench/assay/eval/mcptool"
)

// Placeholders of the tool's command and of the arguments of an MCP tool.
const (
	// PlaceQuestion is the question, verbatim.
	PlaceQuestion = "q"
	// PlaceQuery is the same under the name that MCP tools use.
	PlaceQuery = "query"
	// PlaceLimit is how many results are scored.
	PlaceLimit = "limit"
)

// Target is the tool that is asked: by command, or by MCP.
type Target struct {
	// Command is a command line with {q} in it, and {limit} where it takes one.
	Command string
	// MCP is the command line of an MCP server over standard input and output.
	MCP string
	// Call is the tool of that server.
	Call string
	// Args is a JSON object with {query} in it, and {limit} where it takes one; empty is {"query":"{query}"}.
	Args string
	// Name is the tool's name in reports; empty is the base name of the program.
	Name string
	// VersionCommand prints the tool's version; optional.
	VersionCommand string
	// Timeout ends one question; zero is command.DefaultTimeout.
	Timeout time.Duration
	// MaxBytes bounds one answer; zero is command.DefaultMaxBytes.
	MaxBytes int
}

// defaultArgs is what most search tools of MCP servers take.
const defaultArgs = `{"query":"{query}"}`

// Identity tells one build of a tool from another.
type Identity struct {
	// Name is the tool's name in reports.
	Name string `json:"name"`
	// Command is what is run, with its placeholders, and without what looks like a secret.
	Command string `json:"command"`
	// Call and Args are the tool of an MCP server and its arguments, with their placeholders.
	Call string `json:"call,omitzero"`
	Args string `json:"args,omitzero"`
	// SHA256 is over the executable that the command's first word resolves to.
	SHA256 string `json:"executable_sha256"`
	// Version is what the tool reports of itself; empty where it was not asked.
	Version string `json:"version,omitzero"`
}

// Revision is the version, or the executable's hash where there is none.
func (id Identity) Revision() string {
	if id.Version != "" {
		return id.Version
	}
	return id.SHA256
}

// caller asks one question and returns what was printed. The command caller and the MCP caller are its two forms.
type caller struct {
	identity Identity
	ask      func(ctx context.Context, question string) Answer
	close    func() error
}

// call checks that the tool can be started at all, and returns how to ask it.
func (t Target) call(ctx context.Context, limit int) (caller, error) {
	if (t.Command == "") == (t.MCP == "") {
		return caller{}, errors.New("tool: have both or neither of a command and an mcp server, want one")
	}
	if t.MCP != "" {
		return t.callMCP(ctx, limit)
	}
	template, err := command.Parse(t.Command)
	if err != nil {
		return caller{}, err
	}
	if !template.Uses(PlaceQuestion) {
		return caller{}, fmt.Errorf("command %q: have no {%s}, want the place of the question", t.Command, PlaceQuestion)
	}
	identity, err := t.identify(ctx, template)
	if err != nil {
		return caller{}, err
	}
	identity.Command = withoutSecrets(t.Command)
	values := func(question string) []command.Value {
		return []command.Value{{Name: PlaceQuestion, Text: question}, {Name: PlaceLimit, Text: strconv.Itoa(limit)}}
	}
	return caller{
		identity: identity,
		ask: func(ctx context.Context, question string) Answer {
			result := command.Run(ctx, command.Options{
				Args: template.Fill(values(question)...), Timeout: t.Timeout, MaxBytes: t.MaxBytes,
			})
			return Answer{
				Raw: result.Stdout, Reason: result.Reason, TimedOut: result.Status == command.TimedOut,
				Elapsed: result.Elapsed, unstarted: !result.Started,
			}
		},
		close: func() error { return nil },
	}, nil
}

// callMCP starts the server and checks that it has the tool.
func (t Target) callMCP(ctx context.Context, limit int) (caller, error) {
	template, err := command.Parse(t.MCP)
	if err != nil {
		return caller{}, err
	}
	args := t.Args
	if args == "" {
		args = defaultArgs
	}
	if !strings.Contains(args, "{"+PlaceQuery+"}") {
		return caller{}, fmt.Errorf("tool arguments %s: have no {%s}, want the place of the question", args, PlaceQuery)
	}
	identity, err := t.identify(ctx, template)
	if err != nil {
		return caller{}, err
	}
	identity.Command, identity.Call, identity.Args = withoutSecrets(t.MCP), t.Call, withoutSecrets(args)
	client, err := t.startServer(ctx, template)
	if err != nil {
		return caller{}, err
	}
	if identity.Version == "" {
		identity.Version = client.ServerVersion()
	}
	ask := func(ctx context.Context, question string) Answer {
		filled, err := mcptool.Arguments(args, command.Value{Name: PlaceQuery, Text: question}, command.Value{Name: PlaceLimit, Text: strconv.Itoa(limit)})
		if err != nil {
			return Answer{Reason: err.Error()}
		}
		reply, err := client.Call(ctx, t.timeout(), t.Call, filled)
		answer := Answer{Raw: []byte(reply.Text), Elapsed: reply.Elapsed}
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			answer.Reason, answer.TimedOut = fmt.Sprintf("no answer after %v", t.timeout()), true
		case err != nil:
			answer.Reason = err.Error()
		case len(reply.Text) > t.maxBytes():
			answer.Raw, answer.Reason = nil, fmt.Sprintf("answered more than %d bytes", t.maxBytes())
		}
		return answer
	}
	return caller{identity: identity, ask: ask, close: client.Close}, nil
}

// startServer completes the handshake and finds the tool in the server's list.
func (t Target) startServer(ctx context.Context, template command.Template) (*mcptool.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, mcptool.StartLimit)
	defer cancel()
	client, err := mcptool.Start(ctx, template.Fill())
	if err != nil {
		return nil, err
	}
	tools, err := client.Tools(ctx)
	if err == nil && !slices.Contains(tools, t.Call) {
		err = fmt.Errorf("mcp server %s: have no tool %q, want one of %s", template.Fill()[0], t.Call, strings.Join(tools, ", "))
	}
	if err != nil {
		client.Close()
		return nil, err
	}
	return client, nil
}

// identify resolves the program, and asks for its version where there is a command for it.
func (t Target) identify(ctx context.Context, template command.Template) (Identity, error) {
	words := template.Fill()
	executable, err := command.Resolve(words)
	if err != nil {
		return Identity{}, err
	}
	identity := Identity{Name: t.Name, SHA256: executable.SHA256}
	if identity.Name == "" {
		identity.Name = filepath.Base(words[0])
	}
	if t.VersionCommand == "" {
		return identity, nil
	}
	version, err := command.Parse(t.VersionCommand)
	if err != nil {
		return Identity{}, err
	}
	result := command.Run(ctx, command.Options{Args: version.Fill(), Timeout: t.Timeout})
	if result.Status != command.OK {
		return Identity{}, fmt.Errorf("version command %q: %s", t.VersionCommand, result.Reason)
	}
	identity.Version = strings.TrimSpace(strings.ToValidUTF8(string(result.Stdout), "\ufffd"))
	return identity, nil
}

func (t Target) timeout() time.Duration {
	if t.Timeout > 0 {
		return t.Timeout
	}
	return command.DefaultTimeout
}

func (t Target) maxBytes() int {
	if t.MaxBytes > 0 {
		return t.MaxBytes
	}
	return command.DefaultMaxBytes
}

package capture

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/schema"
)

// hookCommand ends the command line of every hook of ours: it is how they are found again.
const hookCommand = "capture hook"

// hookSeconds is the limit that the settings give each hook, far above what one takes.
const hookSeconds = 5

// hook is one command of a group in the settings.
type hook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitzero"`
}

// hookGroup is one entry below an event.
type hookGroup struct {
	Matcher string `json:"matcher,omitzero"`
	Hooks   []hook `json:"hooks"`
}

// members is a JSON object whose members keep their order and their text.
type members = schema.Members[jsontext.Value]

// Install returns the settings of Claude Code with our hooks in them; program is the path of this command. Settings
// that hold them already stay as they are, whatever else they hold stays too.
func Install(settings []byte, program string) ([]byte, error) {
	cleaned, err := Uninstall(settings)
	if err != nil {
		return nil, err
	}
	root, hooks, err := parse(cleaned)
	if err != nil {
		return nil, err
	}
	for _, event := range []string{eventPrompt, eventTool, eventStop, eventEnd} {
		group := hookGroup{Hooks: []hook{{Type: "command", Command: quote(program) + " " + hookCommand, Timeout: hookSeconds}}}
		if event == eventTool {
			group.Matcher = strings.Join(editTools, "|")
		}
		var groups []jsontext.Value
		if old, ok := hooks.Get(event); ok {
			if err := json.Unmarshal(old, &groups); err != nil {
				return nil, wrong("/hooks/"+event, old, "a list")
			}
		}
		added, err := json.Marshal(group)
		if err != nil {
			return nil, err
		}
		if hooks, err = set(hooks, event, append(groups, added)); err != nil {
			return nil, err
		}
	}
	return render(root, hooks)
}

// Uninstall returns the settings without our hooks and without what only held them.
func Uninstall(settings []byte) ([]byte, error) {
	root, hooks, err := parse(settings)
	if err != nil {
		return nil, err
	}
	var left members
	for _, event := range hooks {
		var groups []jsontext.Value
		if err := json.Unmarshal(event.Value, &groups); err != nil {
			return nil, wrong("/hooks/"+event.Name, event.Value, "a list")
		}
		kept := []jsontext.Value{}
		for i, group := range groups {
			other, ok, err := without("/hooks/"+event.Name+"/"+strconv.Itoa(i), group)
			if err != nil {
				return nil, err
			}
			if ok {
				kept = append(kept, other)
			}
		}
		if len(kept) > 0 || len(groups) == 0 {
			if left, err = set(left, event.Name, kept); err != nil {
				return nil, err
			}
		}
	}
	return render(root, left)
}

// without removes our hooks from the group at a place; false where nothing else was in it.
func without(pointer string, group jsontext.Value) (jsontext.Value, bool, error) {
	var all members
	if err := json.Unmarshal(group, &all); err != nil {
		return nil, false, wrong(pointer, group, "an object")
	}
	var hooks []jsontext.Value
	if old, ok := all.Get("hooks"); ok {
		if err := json.Unmarshal(old, &hooks); err != nil {
			return nil, false, wrong(pointer+"/hooks", old, "a list")
		}
	}
	var kept []jsontext.Value
	for _, text := range hooks {
		var h struct {
			Command string `json:"command"`
		}
		if json.Unmarshal(text, &h) != nil || !ours(h.Command) {
			kept = append(kept, text)
		}
	}
	if len(kept) == len(hooks) {
		return group, true, nil
	}
	if len(kept) == 0 {
		return nil, false, nil
	}
	all, err := set(all, "hooks", kept)
	if err != nil {
		return nil, false, err
	}
	text, err := json.Marshal(all)
	return text, true, err
}

func ours(command string) bool {
	return strings.HasSuffix(command, " "+hookCommand) && strings.Contains(command, "assay")
}

// parse reads the settings and the hooks in them. No settings at all are empty ones.
func parse(settings []byte) (root, hooks members, err error) {
	if len(strings.TrimSpace(string(settings))) == 0 {
		return nil, nil, nil
	}
	if err := json.Unmarshal(settings, &root); err != nil {
		return nil, nil, unread(settings)
	}
	if text, ok := root.Get("hooks"); ok {
		if err := json.Unmarshal(text, &hooks); err != nil {
			return nil, nil, wrong("/hooks", text, "an object")
		}
	}
	return root, hooks, nil
}

// unread says where settings stop being JSON, or that they are no object.
func unread(settings []byte) error {
	var text jsontext.Value
	var syntax *jsontext.SyntacticError
	if err := json.Unmarshal(settings, &text); !errors.As(err, &syntax) {
		return wrong("", text, "an object")
	}
	before := settings[:min(int(syntax.ByteOffset), len(settings))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: not JSON: %w, want an object", line, column, syntax.Err)
}

// wrong says that at a place of the settings something else stands than Claude Code's settings have there.
func wrong(pointer string, text jsontext.Value, want string) error {
	have := map[jsontext.Kind]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number"}[text.Kind()]
	if have == "" {
		have = string(text)
	}
	return errors.New(strings.TrimPrefix(pointer+": ", ": ") + "have " + have + ", want " + want)
}

// set gives a member a value, in its old place or at the end.
func set[T any](object members, name string, value T) (members, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	for i := range object {
		if object[i].Name == name {
			object[i].Value = text
			return object, nil
		}
	}
	return append(object, schema.Member[jsontext.Value]{Name: name, Value: text}), nil
}

// render writes the settings with the hooks, which leave no trace where there are none.
func render(root, hooks members) ([]byte, error) {
	var out members
	for _, member := range root {
		if member.Name != "hooks" || len(hooks) > 0 {
			out = append(out, member)
		}
	}
	var err error
	if len(hooks) > 0 {
		if out, err = set(out, "hooks", hooks); err != nil {
			return nil, err
		}
	}
	if out == nil {
		out = members{}
	}
	text, err := json.Marshal(out, jsontext.WithIndent("  "))
	return append(text, '\n'), err
}

// quote makes a path one word of a shell.
func quote(path string) string {
	if strings.ContainsAny(path, " \t\"'\\$`&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

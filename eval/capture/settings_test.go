package capture

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const otherSettings = `{
  "model": "x",
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "notify-send done"
          }
        ]
      }
    ]
  },
  "permissions": {
    "allow": [
      "Bash(ls:*)"
    ]
  }
}
`

func TestInstallAndUninstall(t *testing.T) {
	installed, err := Install([]byte(otherSettings), "/opt/assay")
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{eventPrompt, eventTool, eventStop, eventEnd} {
		if !strings.Contains(string(installed), `"`+event+`"`) {
			t.Errorf("have no %s, want our hook there", event)
		}
	}
	if n := strings.Count(string(installed), "/opt/assay capture hook"); n != 4 {
		t.Errorf("have %d hooks of ours, want 4", n)
	}
	again, err := Install(installed, "/opt/assay")
	if err != nil || !bytes.Equal(installed, again) {
		t.Errorf("installing twice: have %v and other bytes, want the same", err)
	}
	back, err := Uninstall(installed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(otherSettings, string(back)); diff != "" {
		t.Errorf("after uninstall: %s", diff)
	}
}

func TestInstallIntoNothing(t *testing.T) {
	installed, err := Install(nil, "/path with blanks/assay")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(installed), `'/path with blanks/assay' capture hook`) {
		t.Errorf("have %s, want the path as one word", installed)
	}
	back, err := Uninstall(installed)
	if err != nil || string(back) != "{}\n" {
		t.Errorf("have %q, %v, want empty settings", back, err)
	}
}

func TestUninstallKeepsWhatSharesAGroup(t *testing.T) {
	settings := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"other"},{"type":"command","command":"assay capture hook"}]}]}}`
	have, err := Uninstall([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, have); err != nil {
		t.Fatal(err)
	}
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"other"}]}]}}`; strings.TrimSpace(compact.String()) != want {
		t.Errorf("have %s, want %s", compact.String(), want)
	}
}

func TestSettingsThatAreNone(t *testing.T) {
	for _, c := range []struct{ settings, want string }{
		{"nonsense", "line 1, column 2: not JSON: "},
		{"// a comment\n{}", "line 1, column 1: not JSON: "},
		{"{\"a\":1,\n  x}", "line 2, column 3: not JSON: "},
		{`{"a":1`, "line 1, column 7: not JSON: "},
		{`{"hooks":{},"hooks":{}}`, "line 1, column 13: not JSON: duplicate"},
		{"[]", "have a list, want an object"},
		{`{"hooks":3}`, "/hooks: have a number, want an object"},
		{`{"hooks":{"Stop":3}}`, "/hooks/Stop: have a number, want a list"},
		{`{"hooks":{"Stop":[true]}}`, "/hooks/Stop/0: have true, want an object"},
		{`{"hooks":{"Stop":[{},{"hooks":"x"}]}}`, "/hooks/Stop/1/hooks: have a text, want a list"},
	} {
		have, err := Install([]byte(c.settings), "assay")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: have %s, %v, want %q", c.settings, have, err, c.want)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nb\nc\n", ""},
		{"a\nb\nc\n", "a\nx\nc\nd\n", "- b\n+ x\n+ d\n"},
		{"", "a\n", "+ a\n"},
		{"a\n", "", "- a\n"},
	} {
		if have := Diff([]byte(c.before), []byte(c.after)); have != c.want {
			t.Errorf("%q to %q: have %q, want %q", c.before, c.after, have, c.want)
		}
	}
}

package pipeline

import (
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestBuildRevision(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, c := range []struct {
		name     string
		info     debug.BuildInfo
		revision string
		dirty    bool
	}{
		{"a release", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3", false},
		{"a clean checkout", debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-2026-abc"},
			Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.modified", "false")}}, "abc", false},
		{"a modified checkout", debug.BuildInfo{Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.modified", "true")}}, "abc", true},
		{"a build that names nothing", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "unknown", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if revision, dirty := buildRevision(&c.info); revision != c.revision || dirty != c.dirty {
				t.Errorf("have %s %v, want %s %v", revision, dirty, c.revision, c.dirty)
			}
		})
	}
}

// TestCodeRevision: a test binary is no release, so it is named by its bytes.
func TestCodeRevision(t *testing.T) {
	have, err := CodeRevision()
	if err != nil || !regexp.MustCompile(`^\w+\+dirty\.[0-9a-f]{12}$`).MatchString(have) {
		t.Errorf("have %s %v, want a revision, +dirty. and 12 hex digits", have, err)
	}
}

func TestCreationTime(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	if have, err := CreationTime(); err != nil || have.String() != "2026-01-02T03:04:05Z" {
		t.Errorf("have %v %v, want 2026-01-02T03:04:05Z", have, err)
	}
	for _, text := range []string{"now", "-1", "1.5", "999999999999999"} {
		t.Setenv("SOURCE_DATE_EPOCH", text)
		if have, err := CreationTime(); err == nil {
			t.Errorf("%s: have %v, want an error", text, have)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if have, err := CreationTime(); err != nil || have < schema.Time(1_760_000_000_000_000) {
		t.Errorf("have %v %v, want the present", have, err)
	}
}

// FuzzLookUp: no path and no text make looking up a field crash, and what is
// found is a scalar.
func FuzzLookUp(f *testing.F) {
	f.Add(`{"a":{"b":1}}`, "a", "b")
	f.Add(`{"a":1e-99999999}`, "a", "")
	f.Add(`{"a":[1,{"b":2}],"b":null}`, "b", "")
	f.Fuzz(func(t *testing.T, text, first, second string) {
		for _, path := range [][]string{{first}, {first, second}} {
			have, ok := lookUp([]byte(text), path)
			if !ok {
				continue
			}
			switch kind(have) {
			case '"', '0', 't', 'f':
			default:
				t.Errorf("have %s, want a scalar", have)
			}
			compare(have, schema.OpLess.Name, schema.RuleValue(have))
		}
	})
}

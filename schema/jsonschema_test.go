package schema_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-bench/assay/schema"
)

var freeze = flag.Bool("freeze", false, "write the JSON Schemas of a version that is not released yet")

// TestJSONSchemasFrozen holds the published schemas to what the lists say today,
// and to the hashes they were released with: a released version never changes.
func TestJSONSchemasFrozen(t *testing.T) {
	dir := filepath.Join("versions", schema.Version)
	files := schema.JSONSchemaFiles()
	if *freeze {
		writeSchemas(t, dir, files)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if checksums(files) != string(sums) {
		t.Errorf("the lists no longer give the schemas of version %s, which is frozen: raise Version in version.go, then go test ./schema -freeze", schema.Version)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: differs from the one computed from the lists (%v)", name, err)
		}
	}
}

// writeSchemas writes a version once: one that is there may be released.
func writeSchemas(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatalf("%v: a version is written once; raise Version in version.go", err)
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(checksums(files)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func checksums(files map[string][]byte) string {
	var lines []string
	for name, b := range files {
		sum := sha256.Sum256(b)
		lines = append(lines, hex.EncodeToString(sum[:])+"  "+name+"\n")
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i][66:] < lines[j][66:] })
	return strings.Join(lines, "")
}

// TestJSONSchemasCompile shows that another program's validator reads them and
// says of plain lines what the decoder says.
func TestJSONSchemasCompile(t *testing.T) {
	c := jsonschema.NewCompiler()
	for name, b := range schema.JSONSchemaFiles() {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
	}
	for name := range schema.JSONSchemaFiles() {
		if _, err := c.Compile(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	tool, err := c.Compile("event_tool_call.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]bool{
		`{"call_id":"c","name":"g","status":"ok"}`:                 true,
		`{"call_id":"c","name":"g","status":"fine"}`:               false,
		`{"call_id":"c","name":"g"}`:                               false,
		`{"call_id":"c","name":"g","status":"ok","extra":1}`:       false,
		`{"call_id":"c","name":"g","status":"ok","x_extra":1}`:     true,
		`{"call_id":"c","name":"g","status":"ok","latency_ms":-1}`: false,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(fmt.Sprintf(line, "tool_call", data)))
		if err != nil {
			t.Fatal(err)
		}
		if got := tool.Validate(v) == nil; got != want {
			t.Errorf("%s: have valid=%v, want %v", data, got, want)
		}
	}
}

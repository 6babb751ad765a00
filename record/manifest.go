package record

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Complete fills in what follows from the rest of a manifest: schema_version,
// the hashes of the configurations and the run id. Secrets in a configuration
// are replaced before its hash is taken. A value that is given and differs is an
// error.
func Complete(m schema.Manifest) (schema.Manifest, error) {
	var err error
	if err = fill(&m.SchemaVersion, schema.Version, "schema_version"); err != nil {
		return m, err
	}
	if m.HarnessConfig, err = config(m.HarnessConfig, &m.HarnessConfigSHA256, "harness_config"); err != nil {
		return m, err
	}
	if m.ModelConfig, err = config(m.ModelConfig, &m.ModelConfigSHA256, "model_config"); err != nil {
		return m, err
	}
	id, err := m.Identity().RunID()
	if err != nil {
		return m, fmt.Errorf("%s: %w", schema.DocumentManifest.File, err)
	}
	return m, fill(&m.RunID, id, "run_id")
}

func fill(dest *string, value, key string) error {
	if *dest != "" && *dest != value {
		return fmt.Errorf("%s: %s: have %q, want %q", schema.DocumentManifest.File, key, *dest, value)
	}
	*dest = value
	return nil
}

// config redacts a configuration and sets its hash. None at all is the empty object.
func config(c schema.Object, sum *string, key string) (schema.Object, error) {
	if c == "" {
		c = "{}"
	}
	text, _ := schema.RedactJSON([]byte(c))
	hash, err := schema.CanonicalSHA256(text)
	if err != nil {
		return c, fmt.Errorf("%s: %s: %w", schema.DocumentManifest.File, key, err)
	}
	return schema.Object(text), fill(sum, hash, key+"_sha256")
}

// RunPath is the place of a run under the root of the raw results, with slashes.
func RunPath(m *schema.Manifest) string {
	return path.Join(m.ExperimentID, m.HarnessID, m.TaskID, m.RunID)
}

// encodeDocument renders a document, indented, and checks it against the contract.
func encodeDocument[T any](doc *schema.Document, d *schema.DocumentDecoder[T], v T, g guard) ([]byte, error) {
	layout := []json.Options{jsontext.WithIndent("  ")}
	if doc.PerLine {
		layout = nil
	}
	text, err := json.Marshal(v, layout...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doc.File, err)
	}
	if _, violations := d.Decode(text); len(violations) > 0 {
		return nil, violationError(doc.File, violations[0])
	}
	if text, err = g.check(doc.File, text); err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// violationError says where, what, have and want.
func violationError(where string, v schema.Violation) error {
	have, _ := schema.Redact(v.Have)
	if v.Pointer != "" {
		where += ": " + v.Pointer
	}
	return fmt.Errorf("%s: %s: have %s, want %s", where, v.Code.Name, have, v.Want)
}

// ParseManifest reads a manifest from which what Complete fills in may be absent.
func ParseManifest(name string, text []byte) (schema.Manifest, error) {
	m, violations := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest).Decode(bytes.Clone(text))
	for _, v := range violations {
		if m != nil && filledIn[v.Pointer] && strings.HasPrefix(v.Have, "no key") {
			continue
		}
		line, column := schema.LineColumn(text, v.Offset)
		return schema.Manifest{}, violationError(fmt.Sprintf("%s:%d:%d", name, line, column), v)
	}
	return *m, nil
}

// filledIn are the required keys that Complete fills in.
var filledIn = map[string]bool{
	"/schema_version": true, "/run_id": true, "/harness_config": true, "/model_config": true,
	"/harness_config_sha256": true, "/model_config_sha256": true,
}

package schema_test

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestArmName(t *testing.T) {
	treatment := schema.Members[schema.Scalar]{{Name: "top_k", Value: "10.0"}, {Name: "retrieval", Value: `"hybrid search"`}}
	for _, c := range []struct {
		model     schema.Opt[string]
		treatment schema.Members[schema.Scalar]
		want      string
	}{
		{schema.None[string](), nil, "grep"},
		{schema.Some("qwen/qwen3@q4"), nil, "grep / qwen/qwen3@q4"},
		{schema.Some("m"), treatment, `grep / m / retrieval=hybrid search, top_k=10`},
		{schema.Some("m / a=1"), nil, `grep / "m / a=1"`},
		{schema.Some(""), nil, `grep / ""`},
	} {
		if have := schema.ArmName("grep", c.model, c.treatment); have != c.want {
			t.Errorf("have %s, want %s", have, c.want)
		}
	}
}

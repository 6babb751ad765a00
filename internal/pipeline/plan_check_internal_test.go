package pipeline

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// TestCheckPlan: what a plan may not say, each with a part of the message; the
// first lines are plans that may be used.
func TestCheckPlan(t *testing.T) {
	const arms = `"arms":[{"name":"A","harness_id":"h","treatment":{"r":"a"}},{"name":"B","harness_id":"h","treatment":{"r":"b"}}]`
	for _, c := range []struct{ plan, want string }{
		{arms + `,"baseline":"B"`, ""},
		{`"baseline":"h / m / r=a"`, ""},
		{`"exclusions":[{"name":"n","field":"task.difficulty","op":"=","value":"x"},{"name":"m","field":"treatment.r","op":"=","value":"x"},{"name":"o","field":"repo.files","op":">","value":1},{"name":"q","field":"model_config.deep.er","op":"=","value":1}]`, ""},
		{`"strata":["repo.name","task.difficulty","scenario","task_id"],"outcomes":{"primary":"wall_time_s","secondary":["mrr"]}`, ""},
		{arms + `,"baseline":"C"`, `baseline: have "C", want one of the arms A, B`},
		{`"arms":[{"name":"A","harness_id":"h","treatment":{"r":1}},{"name":"B","harness_id":"h","treatment":{"r":1.0}}]`, `have "A" and "B" with the same harness`},
		{`"arms":[{"name":"A","harness_id":"h"},{"name":"A","harness_id":"i"}]`, `arms: have the name "A" twice`},
		{`"exclusions":[{"name":"n","field":"repo.files","op":"<","value":"many"}]`, `exclusions: n: value: have "many", want a number for <`},
		{`"exclusions":[{"name":"n","field":"task.difficulty","op":"in","value":"hard"}]`, `exclusions: n: value: have "hard", want a list for in`},
		{`"exclusions":[{"name":"n","field":"task.difficulty","op":"!=","value":["hard"]}]`, `exclusions: n: value: have a list, want one value for !=`},
		{`"factors":{"r":{"levels":["a","b"],"reference":"c"}}`, `factors: r: reference: have "c", want one of the levels a, b`},
		{`"outcomes":{"primary":"resolved"}`, `outcomes: primary: have "resolved"`},
		{`"outcomes":{"secondary":["ap"]}`, `outcomes: secondary: have "ap"`},
		{`"strata":["task.dificulty"]`, `strata: have "task.dificulty"`},
		{`"exclusions":[{"name":"n","field":"outcome","op":"=","value":"resolved"}]`, `exclusions: n: field: have "outcome"`},
		{`"exclusions":[{"name":"n","field":"treatment","op":"=","value":"x"}]`, `exclusions: n: field: have "treatment"`},
		{`"exclusions":[{"name":"n","field":"task.dificulty","op":"=","value":"x"}]`, `exclusions: n: field: have "task.dificulty"`},
		{`"experiment_id":"other"`, `experiment_id: have "other", want "e"`},
	} {
		text := `{"schema_version":"` + schema.Version + `",` + c.plan + `}`
		if !strings.Contains(c.plan, "experiment_id") {
			text = `{"schema_version":"` + schema.Version + `","experiment_id":"e",` + c.plan + `}`
		}
		var p schema.Plan
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		err := checkPlan(&p, ingest.ExperimentDir{Root: "raw", Path: "e"})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: have %v, want no error", c.plan, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: have %v, want %s", c.plan, err, c.want)
		}
	}
}

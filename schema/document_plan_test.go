package schema

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// TestRuleValue: the value of a rule is written as the JSON that it is, and read
// back the same, by the decoder too.
func TestRuleValue(t *testing.T) {
	for _, value := range []RuleValue{`"go"`, `3`, `true`, `["go",1,false]`} {
		plan := Plan{SchemaVersion: Version, ExperimentID: "e", Exclusions: []ExclusionRule{{Name: "r", Field: "task.language", Op: OpIn.Name, Value: value}}}
		text, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		read, violations := NewDocumentDecoder[Plan](&DocumentPlan).Decode(text)
		if len(violations) > 0 {
			t.Fatalf("%s: %v", text, violations[0])
		}
		var plain Plan
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		if have := read.Exclusions[0].Value; have != value || plain.Exclusions[0].Value != value {
			t.Errorf("have %s and %s, want %s", have, plain.Exclusions[0].Value, value)
		}
	}
}

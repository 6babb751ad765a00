package pipeline

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestMatchRules(t *testing.T) {
	m := &schema.Manifest{
		HarnessConfig: "{}", ModelConfig: "{}", TaskID: "t1", Repetition: schema.Some(int64(2)), Seed: schema.Some(schema.Scalar("9007199254740993")),
		Repo:      &schema.Repo{Language: schema.Some("go"), Lines: schema.Some(int64(1000))},
		Treatment: schema.Members[schema.Scalar]{level("top_k", "10.0"), level("rag", "true")},
	}
	task := &schema.Task{ID: "t1", Difficulty: schema.Some("hard")}
	for _, c := range []struct {
		field, op, value string
		want             bool
	}{
		{"task_id", "=", `"t1"`, true},
		{"task_id", "!=", `"t1"`, false},
		{"repo.language", "in", `["python","go"]`, true},
		{"repo.lines", "<", "1000", false},
		{"repo.lines", "<=", "1000", true},
		{"repo.lines", ">", "999.5", true},
		{"treatment.top_k", "=", "10", true},
		{"treatment.top_k", "=", `"10"`, false},
		{"treatment.rag", "=", "true", true},
		{"treatment.rag", "=", `"true"`, false},
		{"seed", "=", "9007199254740992", false},  // apart by 1, which a double cannot tell
		{"repo.lines", ">", "1e-999999999", true}, // 0 as a double; its exact digits would fill the memory
		{"task.difficulty", "=", `"hard"`, true},
		{"task.scenario", "!=", `"bug"`, false}, // not recorded: neither equal nor different
		{"model_key", "!=", `"m"`, false},
		{"repo", "=", `"go"`, false},
	} {
		rules := []schema.ExclusionRule{{Name: "r", Field: c.field, Op: c.op, Value: schema.RuleValue(c.value)}}
		list, err := matchRules(rules, m, task)
		if err != nil || (len(list) == 1) != c.want {
			t.Errorf("%s %s %s: have %v %v, want %v", c.field, c.op, c.value, list, err, c.want)
		}
	}
	_, err := matchRules([]schema.ExclusionRule{{Name: "small", Field: "repo.lines", Op: "<", Value: `"x"`}}, m, task)
	if err == nil || err.Error() != `exclusions: small: value: have "x", want a number for <` {
		t.Errorf("have %v, want an error that names the rule", err)
	}
}

package pipeline

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/schema"
)

// taskPrefix begins the field of a rule that looks at the task instead of the
// manifest.
const taskPrefix = "task."

// A ruleMatch is a rule that leaves a run out.
type ruleMatch struct {
	rule *schema.ExclusionRule
	// have is the value that the rule's field holds.
	have schema.Scalar
}

// matchRules returns the rules that leave a run out, in the order of the plan. A
// rule on a field that the run does not have leaves nothing out: what is missing
// is neither equal to a value nor different from it.
func matchRules(rules []schema.ExclusionRule, m *schema.Manifest, task *schema.Task) ([]ruleMatch, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	manifest, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var about []byte
	if task != nil {
		if about, err = json.Marshal(task); err != nil {
			return nil, err
		}
	}
	var list []ruleMatch
	for i := range rules {
		text, field := manifest, rules[i].Field
		if rest, ok := strings.CutPrefix(field, taskPrefix); ok {
			text, field = about, rest
		}
		have, ok := lookUp(text, strings.Split(field, "."))
		if !ok {
			continue
		}
		hit, err := compare(have, rules[i].Op, rules[i].Value)
		if err != nil {
			return nil, fmt.Errorf("exclusions: %s: %w", rules[i].Name, err)
		}
		if hit {
			list = append(list, ruleMatch{&rules[i], have})
		}
	}
	return list, nil
}

// lookUp finds the scalar at a path of keys; null counts as not there.
func lookUp(text []byte, path []string) (schema.Scalar, bool) {
	if len(text) == 0 {
		return "", false
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for _, key := range path {
		if d.PeekKind() != '{' || !enter(d, key) {
			return "", false
		}
	}
	v, err := d.ReadValue()
	if err != nil || v.Kind() == 'n' || v.Kind() == '{' || v.Kind() == '[' {
		return "", false
	}
	return schema.Scalar(v), true
}

// enter moves the decoder from the beginning of an object to the value of a key.
func enter(d *jsontext.Decoder, key string) bool {
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == key {
			return true
		}
		if d.SkipValue() != nil {
			return false
		}
	}
	return false
}

// compare applies a rule's operation. Numbers are compared exactly; other
// scalars only for equality, and never equal to one of another type.
func compare(have schema.Scalar, op string, value schema.RuleValue) (bool, error) {
	switch op {
	case schema.OpIn.Name:
		return oneOf(have, value)
	case schema.OpEqual.Name, schema.OpNotEqual.Name:
		if kind(schema.Scalar(value)) == '[' {
			return false, fmt.Errorf("value: have a list, want one value for %s, or the op in", op)
		}
	}
	switch op {
	case schema.OpEqual.Name:
		return equal(have, schema.Scalar(value)), nil
	case schema.OpNotEqual.Name:
		return !equal(have, schema.Scalar(value)), nil
	}
	a, okA := number(have)
	b, okB := number(schema.Scalar(value))
	if !okB {
		return false, fmt.Errorf("value: have %s, want a number for %s", value, op)
	}
	if !okA {
		return false, nil
	}
	c := a.Cmp(b)
	switch op {
	case schema.OpLess.Name:
		return c < 0, nil
	case schema.OpAtMost.Name:
		return c <= 0, nil
	case schema.OpGreater.Name:
		return c > 0, nil
	case schema.OpAtLeast.Name:
		return c >= 0, nil
	}
	return false, fmt.Errorf("op: have %q, want one of the set rule_op", op)
}

func oneOf(have schema.Scalar, value schema.RuleValue) (bool, error) {
	var list []jsontext.Value
	if err := json.Unmarshal([]byte(value), &list); err != nil {
		return false, fmt.Errorf("value: have %.80s, want a list for in", value)
	}
	for _, v := range list {
		if equal(have, schema.Scalar(v)) {
			return true, nil
		}
	}
	return false, nil
}

func equal(a, b schema.Scalar) bool {
	x, okX := number(a)
	y, okY := number(b)
	if okX || okY {
		return okX && okY && x.Cmp(y) == 0
	}
	return kind(a) == kind(b) && a.Text() == b.Text()
}

func kind(s schema.Scalar) jsontext.Kind { return jsontext.Value(s).Kind() }

// number reads a JSON number exactly. One with an exponent beyond a double's is
// read as a double, for its exact digits would fill the memory.
func number(s schema.Scalar) (*big.Rat, bool) {
	if kind(s) != '0' {
		return nil, false
	}
	if i := strings.IndexAny(string(s), "eE"); i >= 0 && len(strings.TrimLeft(string(s[i+1:]), "+-0")) > 3 || len(s) > 1000 {
		f, err := strconv.ParseFloat(string(s), 64)
		if err != nil {
			return nil, false
		}
		return new(big.Rat).SetFloat64(f), true
	}
	return new(big.Rat).SetString(string(s))
}

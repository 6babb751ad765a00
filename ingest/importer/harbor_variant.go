package importer

import (
	"slices"
	"strconv"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Names of factors and levels that a job does not name itself.
const (
	// agentConfigFactor tells agents of one job apart that differ in something else
	// than their keyword arguments.
	agentConfigFactor = "agent_config"
	// defaultLevel is the level of an argument that an agent was not given.
	defaultLevel = "default"
)

// nameVariants makes factors of what tells the agents of a job apart where name
// and model do not: the keyword arguments in which they differ. Without that, two
// configurations would count as repetitions of one.
func (s *source) nameVariants(j *job) {
	keys := map[string][]string{}
	agents := map[string]*harborAgent{}
	for _, t := range j.trials {
		key, arm := t.agentKey(), schema.ArmName(schema.PathID(t.harness()), t.model, nil)
		agents[key] = &t.result.Config.Agent
		if !slices.Contains(keys[arm], key) {
			keys[arm] = append(keys[arm], key)
		}
	}
	variants := map[string]schema.Members[schema.Scalar]{}
	for _, list := range keys {
		if len(list) < 2 {
			continue
		}
		slices.Sort(list)
		names := differing(list, agents)
		for i, key := range list {
			for _, name := range names {
				variants[key] = append(variants[key], schema.Member[schema.Scalar]{Name: name, Value: level(agents[key].arguments()[name])})
			}
			if names == nil {
				variants[key] = schema.Members[schema.Scalar]{{Name: agentConfigFactor, Value: schema.StringScalar(strconv.Itoa(i + 1))}}
			}
		}
	}
	for _, t := range j.trials {
		t.treatment = variants[t.agentKey()]
	}
}

// differing are the keyword arguments, sorted, whose values are not the same in
// all of the agents.
func differing(keys []string, agents map[string]*harborAgent) []string {
	var names []string
	for _, key := range keys {
		for name, value := range agents[key].arguments() {
			for _, other := range keys {
				if v, ok := agents[other].arguments()[name]; !ok || !sameJSON(v, value) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// arguments are the keyword arguments of an agent.
func (a *harborAgent) arguments() map[string]jsontext.Value {
	var m map[string]jsontext.Value
	if a.Kwargs.Kind() != '{' || json.Unmarshal(a.Kwargs, &m) != nil {
		return nil
	}
	return m
}

// level is the level of a factor: a string, number or truth value as it stands,
// anything else as its text.
func level(v jsontext.Value) schema.Scalar {
	switch v.Kind() {
	case '0':
		if !exact(string(v)) {
			return schema.StringScalar(string(v))
		}
		return schema.Scalar(v)
	case '"', 't', 'f':
		return schema.Scalar(v)
	case 0, 'n':
		return schema.StringScalar(defaultLevel)
	}
	c := v.Clone()
	if c.Canonicalize() != nil {
		return schema.StringScalar(string(v))
	}
	return schema.StringScalar(string(c))
}

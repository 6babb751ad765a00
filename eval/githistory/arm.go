package githistory

import (
	"fmt"
	"slices"
)

// Arm is one combination of factor levels that every task is run under.
type Arm struct {
	// Name is unique in the experiment: the tool's, with the other levels where several are crossed.
	Name string
	// Tool is the name of the tool, which is the harness of its runs.
	Tool string
	// Query is the form of the question.
	Query QueryForm
	// Limit is how many results are asked for: the factor k.
	Limit int
	// Budget is how many tokens may be packed.
	Budget int
	// Packing is how much of a file is packed.
	Packing Packing
}

// apart counts the factors in which two arms have other levels.
func (a Arm) apart(b Arm) int {
	n := 0
	for _, differs := range []bool{a.Tool != b.Tool, a.Query != b.Query, a.Limit != b.Limit, a.Budget != b.Budget, a.Packing != b.Packing} {
		if differs {
			n++
		}
	}
	return n
}

// arms are the combinations to run, tools outermost, in the order in which they are reported.
func arms(opts Options, tools []string) []Arm {
	levels := Levels{
		Queries: []QueryForm{opts.Query}, Budgets: []int{opts.Budget},
		Limits: []int{opts.Limit}, Packings: []Packing{opts.Packing},
	}
	if opts.Cross != nil {
		levels = *opts.Cross
	}
	var all []Arm
	for _, tool := range tools {
		for _, query := range levels.Queries {
			for _, limit := range levels.Limits {
				for _, budget := range levels.Budgets {
					for _, packing := range levels.Packings {
						arm := Arm{Name: tool, Tool: tool, Query: query, Limit: limit, Budget: budget, Packing: packing}
						if opts.Cross != nil {
							arm.Name = fmt.Sprintf("%s %s k=%d budget=%d %s", tool, query, limit, budget, packing)
						}
						all = append(all, arm)
					}
				}
			}
		}
	}
	return all
}

// toolNames are the tools of an evaluation in the order of its reports, whose first tool the others are compared
// with: outside ones as given, then the built-in ones as given, popular last where it was not asked for.
func toolNames(opts Options) ([]string, error) {
	var names []string
	add := func(name string) error {
		if name == "" || slices.Contains(names, name) {
			return fmt.Errorf("tool %q: have this name twice or empty, want each tool to have its own", name)
		}
		names = append(names, name)
		return nil
	}
	for _, spec := range opts.Tools {
		if slices.Contains(Builtins, spec.Name) {
			return nil, fmt.Errorf("tool %q: have the name of a built-in tool, want another", spec.Name)
		}
		if err := add(spec.Name); err != nil {
			return nil, err
		}
	}
	builtins := opts.Builtins
	if builtins == nil {
		builtins = Builtins
	}
	for _, name := range builtins {
		if !slices.Contains(Builtins, name) {
			return nil, fmt.Errorf("built-in tool %q: unknown, want one of %v", name, Builtins)
		}
		if err := add(name); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(names, PopularTool) {
		names = append(names, PopularTool)
	}
	return names, nil
}

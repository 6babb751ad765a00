package schema

import "github.com/go-json-experiment/json/jsontext"

// Plan is the plan of an experiment: what was to be run.
type Plan struct {
	// SchemaVersion is the contract version.
	SchemaVersion string `json:"schema_version" want:"required" form:"semver"`
	// ExperimentID names the experiment.
	ExperimentID string `json:"experiment_id" want:"required" form:"id"`
	// Title is the experiment's title.
	Title Opt[string] `json:"title,omitzero"`
	// CreatedAt is when the plan was made.
	CreatedAt Opt[Time] `json:"created_at,omitzero"`
	// Arms are what is compared; without them, harnesses x models x factor levels.
	Arms []Arm `json:"arms,omitzero"`
	// Factors are the experimental factors.
	Factors Members[Factor] `json:"factors,omitzero"`
	// Baseline is the arm that differences are taken to.
	Baseline Opt[string] `json:"baseline,omitzero"`
	// Tasks are the ids of the planned tasks.
	Tasks []string `json:"tasks,omitzero"`
	// Repetitions is the number of planned runs a cell.
	Repetitions Opt[int64] `json:"repetitions,omitzero" unit:"count" min:"1"`
	// Seeds holds the seed of repetition i+1 at place i.
	Seeds []Scalar `json:"seeds,omitzero" form:"seed"`
	// Blocks are the fields that are blocks and clusters.
	Blocks []string `json:"blocks,omitzero"`
	// Strata are the fields that table 5 splits by.
	Strata []string `json:"strata,omitzero"`
	// Outcomes names the primary outcome, the others, and families of tests.
	Outcomes *Outcomes `json:"outcomes,omitzero"`
	// Faults says which faults count as failures.
	Faults Opt[string] `json:"faults,omitzero" set:"faults"`
	// Exclusions are rules on the manifest and the task, never on outcomes.
	Exclusions []ExclusionRule `json:"exclusions,omitzero"`
	// Comparable are settings that must be equal across arms.
	Comparable []string `json:"comparable,omitzero"`
}

// Arm is one combination that is compared with others.
type Arm struct {
	// Name is the arm's name.
	Name string `json:"name" want:"required"`
	// HarnessID names its harness.
	HarnessID string `json:"harness_id" want:"required" form:"id"`
	// ModelKey names its model.
	ModelKey Opt[string] `json:"model_key,omitzero"`
	// Treatment holds its factor levels.
	Treatment Members[Scalar] `json:"treatment,omitzero"`
}

// Factor is one experimental factor.
type Factor struct {
	// Levels are the factor's levels, in order.
	Levels []Scalar `json:"levels" want:"required"`
	// Reference is the level that others are compared with; default: the first.
	Reference Opt[Scalar] `json:"reference,omitzero"`
	// Role says which tables the factor belongs to.
	Role Opt[string] `json:"role,omitzero" set:"factor_role"`
	// ActsThrough names the tools or event types by which a level shows that it acted.
	ActsThrough []string `json:"acts_through,omitzero"`
}

// Outcomes says what an experiment asks.
type Outcomes struct {
	// Primary is the primary metric.
	Primary Opt[string] `json:"primary,omitzero"`
	// Secondary are the other metrics.
	Secondary []string `json:"secondary,omitzero"`
	// Families are lists of tests that are adjusted together.
	Families [][]string `json:"families,omitzero"`
}

// ExclusionRule leaves runs out by what was known before they ran.
type ExclusionRule struct {
	// Name names the rule; its reason code is rule:<name>.
	Name string `json:"name" want:"required"`
	// Field is a field of the manifest, or of the task as task.<field>.
	Field string `json:"field" want:"required"`
	// Op compares the field with the value.
	Op string `json:"op" want:"required" set:"rule_op"`
	// Value is a scalar, or a list of scalars for "in".
	Value RuleValue `json:"value" want:"required"`
	// Reason says why, in words.
	Reason Opt[string] `json:"reason,omitzero"`
}

// RuleValue is the JSON text of a scalar or of a list of scalars.
type RuleValue string

// MarshalJSONTo writes the text as it stands.
func (v RuleValue) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(v))
}

// UnmarshalJSONFrom keeps the text of one value.
func (v *RuleValue) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	text, err := d.ReadValue()
	*v = RuleValue(text)
	return err
}

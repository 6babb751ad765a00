package derive

import (
	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/schema"
)

// freeModel reports whether model_metadata.pricing is "free", as of local models.
func (r *Run) freeModel() bool {
	text, ok := r.in.Manifest.ModelMetadata.Get()
	if !ok {
		return false
	}
	var m struct {
		Pricing schema.Opt[schema.Scalar] `json:"pricing"`
	}
	// Metadata is an open object, checked on reading; what has no such member, or
	// another kind of value there, names no price.
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return false
	}
	pricing, ok := m.Pricing.Get()
	return ok && pricing.Text() == "free"
}

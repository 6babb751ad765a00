package main

import "github.com/assay-bench/assay/internal/pipeline"

// codeRevision is the revision of the analysis code that this program was built from.
func codeRevision() string {
	r, err := pipeline.CodeRevision()
	if err != nil {
		return "unknown"
	}
	return r
}

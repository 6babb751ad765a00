package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Identity is what a run's id is derived from. Anything absent is null, never
// left out.
type Identity struct {
	// CodeRevision is the revision of the research code.
	CodeRevision Opt[string] `json:"code_revision"`
	// ContextBudget is the number of tokens that retrieved context may take.
	ContextBudget Opt[int64] `json:"context_budget"`
	// ExperimentID names the experiment.
	ExperimentID string `json:"experiment_id"`
	// HarnessConfigSHA256 is the hash of the harness configuration.
	HarnessConfigSHA256 string `json:"harness_config_sha256"`
	// HarnessID names the harness.
	HarnessID string `json:"harness_id"`
	// ModelConfigSHA256 is the hash of the model configuration.
	ModelConfigSHA256 string `json:"model_config_sha256"`
	// ModelKey names the model.
	ModelKey Opt[string] `json:"model_key"`
	// Repetition numbers the runs of a cell.
	Repetition Opt[int64] `json:"repetition"`
	// RepoCommit is the commit of the repository.
	RepoCommit Opt[string] `json:"repo_commit"`
	// Seed is the run's seed.
	Seed Opt[Scalar] `json:"seed"`
	// TaskID names the task.
	TaskID string `json:"task_id"`
}

// Identity returns what the manifest says of its run's identity.
func (m *Manifest) Identity() Identity {
	id := Identity{
		CodeRevision: m.CodeRevision, ContextBudget: m.ContextBudget, ExperimentID: m.ExperimentID,
		HarnessConfigSHA256: m.HarnessConfigSHA256, HarnessID: m.HarnessID,
		ModelConfigSHA256: m.ModelConfigSHA256, ModelKey: m.ModelKey, Repetition: m.Repetition,
		Seed: m.Seed, TaskID: m.TaskID,
	}
	if m.Repo != nil {
		id.RepoCommit = m.Repo.Commit
	}
	return id
}

// RunID is the first 32 hex digits of the SHA-256 over the RFC 8785 form of the identity.
func (id Identity) RunID() (string, error) {
	b, err := json.Marshal(id)
	if err != nil {
		return "", err
	}
	sum, err := CanonicalSHA256(b)
	if err != nil {
		return "", err
	}
	return sum[:32], nil
}

// CanonicalSHA256 is the SHA-256, in hex, over the RFC 8785 canonical form of a
// JSON text. Integers must stay within +-(2^53-1): beyond, the canonical form
// cannot tell them apart.
func CanonicalSHA256(text []byte) (string, error) {
	v := jsontext.Value(text).Clone()
	if err := v.Canonicalize(); err != nil {
		return "", fmt.Errorf("have no canonical JSON: %w", err)
	}
	sum := sha256.Sum256(v)
	return hex.EncodeToString(sum[:]), nil
}

// PathID makes a foreign id a path segment. An id that already is one stays.
// Otherwise each run of other bytes becomes "-", the result is cut to 100 bytes,
// and "-" with the first 8 hex digits of the SHA-256 of the original follows.
func PathID(original string) string {
	if ValidID(original) {
		return original
	}
	var out []byte
	gap := false
	for i := range len(original) {
		c := original[i]
		if isAlphanumeric(c) || c == '.' || c == '_' || c == '-' {
			out, gap = append(out, c), false
			continue
		}
		if !gap {
			out = append(out, '-')
		}
		gap = true
	}
	if len(out) > 100 {
		out = out[:100]
	}
	for len(out) > 0 && !isAlphanumeric(out[0]) {
		out = out[1:]
	}
	if len(out) == 0 || isDevice(string(out)) {
		out = append([]byte("id-"), out...)
	}
	sum := sha256.Sum256([]byte(original))
	return string(out) + "-" + hex.EncodeToString(sum[:4])
}

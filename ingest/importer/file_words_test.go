package importer

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// What is wrong with a file is said in the words of JSON, and the place only where
// there is one.
func TestDecodingFaults(t *testing.T) {
	type document struct {
		Steps []struct {
			Source string  `json:"source"`
			Tokens *int64  `json:"tokens"`
			Cost   float64 `json:"cost"`
			OK     bool    `json:"ok"`
		} `json:"steps"`
	}
	for text, want := range map[string]string{
		`[]`:                        "have a list, want an object",
		`{"steps":{}}`:              "/steps: have an object, want a list",
		`{"steps":[null,7]}`:        "/steps/1: have a number, want an object",
		`{"steps":[{"source":1}]}`:  "/steps/0/source: have a number, want a text",
		`{"steps":[{"tokens":""}]}`: "/steps/0/tokens: have a text, want an integer",
		`{"steps":[{"cost":true}]}`: "/steps/0/cost: have true, want a number",
		`{"steps":[{"ok":"yes"}]}`:  "/steps/0/ok: have a text, want true or false",
	} {
		var d document
		if _, have := explain(json.Unmarshal([]byte(text), &d)); have != want {
			t.Errorf("%s: have %q, want %q", text, have, want)
		}
	}
}

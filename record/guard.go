package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// A guard keeps secrets and environment contents out of what is written.
type guard struct {
	policy SecretPolicy
	// values are secret values of the environment.
	values []string
}

// leastValue is the length below which a value of the environment is too common
// a text to be searched for.
const leastValue = 8

func newGuard(o Options) guard {
	g := guard{policy: o.Secrets}
	for _, pair := range o.Environ {
		if name, value, ok := strings.Cut(pair, "="); ok && len(value) >= leastValue && schema.SecretName(name) {
			g.values = append(g.values, value)
		}
	}
	slices.SortFunc(g.values, func(a, b string) int { return len(b) - len(a) })
	return g
}

// check refuses or redacts what may not be written in a JSON text.
func (g guard) check(where string, text []byte) ([]byte, error) {
	if schema.MayHoldSecret(text) {
		redacted, secrets := schema.RedactJSON(text)
		if len(secrets) > 0 && g.policy == RefuseSecrets {
			return nil, fmt.Errorf("%s: %s: have text that looks like a secret, want it redacted before it is recorded", where, secrets[0].Pointer)
		}
		text = redacted
	}
	if !g.suspicious(text) {
		return text, nil
	}
	return g.environment(where, text)
}

// dumpNames are variables of which an environment holds several.
var dumpNames = []string{"PATH=", "HOME=", "USER=", "SHELL=", "PWD=", "LANG=", "TERM=", "LOGNAME=", "HOSTNAME="}

// suspicious is the fast filter in front of environment.
func (g guard) suspicious(text []byte) bool {
	if bytes.Contains(text, []byte("PATH=")) || bytes.Contains(text, []byte("HOME=")) ||
		bytes.Contains(text, []byte(`"environment"`)) {
		return true
	}
	for _, v := range g.values {
		if bytes.Contains(text, []byte(v)) {
			return true
		}
	}
	return false
}

// environment looks at every string and at the members of environment objects.
func (g guard) environment(where string, text []byte) ([]byte, error) {
	var out []byte
	at := 0
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		before := int(d.InputOffset())
		tok, err := d.ReadToken()
		if err != nil {
			return append(out, text[at:]...), nil
		}
		if tok.Kind() != '"' {
			continue
		}
		s := tok.String()
		clean, err := g.judge(s, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", where, d.StackPointer(), err)
		}
		if clean == s {
			continue
		}
		end := int(d.InputOffset())
		start := before + bytes.IndexByte(text[before:end], '"')
		out = append(out, text[at:start]...)
		if out, err = jsontext.AppendQuote(out, clean); err != nil {
			return nil, err
		}
		at = end
	}
}

// judge refuses or cleans the string that d has just read.
func (g guard) judge(s string, d *jsontext.Decoder) (string, error) {
	if isEnvironmentName(string(d.StackPointer()), s, d) {
		return "", errors.New("have a variable of the environment, want only os, arch, cpu and memory")
	}
	clean := g.clean(s)
	if clean != s && g.policy == RefuseSecrets {
		return "", errors.New("have contents of the environment, want none")
	}
	return clean, nil
}

// clean replaces a whole dump of the environment, and the secret values of it.
func (g guard) clean(s string) string {
	names := 0
	for line := range strings.Lines(s) {
		// As bash and other shells print it: declare -x NAME="value", export NAME=value.
		line = strings.TrimPrefix(strings.TrimPrefix(line, "declare -x "), "export ")
		if slices.ContainsFunc(dumpNames, func(n string) bool { return strings.HasPrefix(line, n) }) {
			names++
		}
	}
	if names >= 3 {
		return "[environment]"
	}
	for _, v := range g.values {
		s = strings.ReplaceAll(s, v, schema.SecretText)
	}
	return s
}

// isEnvironmentName reports whether a key of an environment object is a variable.
func isEnvironmentName(pointer, key string, d *jsontext.Decoder) bool {
	kind, length := d.StackIndex(d.StackDepth())
	if kind != '{' || length%2 == 0 || !strings.Contains(pointer, "/environment/") {
		return false
	}
	return slices.Contains(dumpNames, key+"=") || schema.SecretName(key) ||
		slices.Contains([]string{"env", "environ", "environment", "variables", "env_vars"}, strings.ToLower(key))
}

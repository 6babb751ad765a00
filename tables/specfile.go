package tables

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The files of a specification.
const (
	specExtension = ".json"
	sqlExtension  = ".sql"
	runsExtension = ".runs.sql"
)

// ParseSpec reads a specification in JSON, whose query is given beside it. A
// member that no specification has is an error, so that a misspelt one is found.
func ParseSpec(specification []byte, sql string) (Spec, error) {
	var s Spec
	if err := json.Unmarshal(specification, &s, json.RejectUnknownMembers(true)); err != nil {
		return Spec{}, err
	}
	s.SQL = sql
	return s, s.Validate()
}

// JSON is the specification as ParseSpec reads it.
func (s Spec) JSON() []byte {
	b, err := json.Marshal(s, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		panic("tables: json into memory: " + err.Error())
	}
	return append(b, '\n')
}

// ReadSpecs reads the specifications in a folder, each NAME.json with its query
// in NAME.sql, in the byte order of their names. Other files are left alone; one
// of the two without the other is an error, and so is a name that differs from
// the files'.
func ReadSpecs(folder fs.FS) ([]Spec, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), runsExtension) {
			continue
		}
		if x := path.Ext(entry.Name()); !entry.IsDir() && (x == specExtension || x == sqlExtension) {
			names = append(names, strings.TrimSuffix(entry.Name(), x))
		}
	}
	slices.Sort(names)
	var specs []Spec
	for _, name := range slices.Compact(names) {
		s, err := readSpec(folder, name)
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", name, specExtension, err)
		}
		specs = append(specs, s)
	}
	return specs, nil
}

// readSpec reads one specification and its query.
func readSpec(folder fs.FS, name string) (Spec, error) {
	specification, err := fs.ReadFile(folder, name+specExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return Spec{}, fmt.Errorf("have %s%s alone, want its specification beside it", name, sqlExtension)
	} else if err != nil {
		return Spec{}, err
	}
	sql, err := fs.ReadFile(folder, name+sqlExtension)
	if errors.Is(err, fs.ErrNotExist) {
		return Spec{}, fmt.Errorf("have no %s%s beside it, want its query", name, sqlExtension)
	} else if err != nil {
		return Spec{}, err
	}
	s, err := ParseSpec(specification, string(sql))
	if runs, e := fs.ReadFile(folder, name+runsExtension); e == nil {
		s.RunsSQL = string(runs)
	} else if !errors.Is(e, fs.ErrNotExist) {
		return Spec{}, e
	}
	if err == nil && s.Name != name {
		err = fmt.Errorf("name: have %q, want %q as the file", s.Name, name)
	}
	return s, err
}

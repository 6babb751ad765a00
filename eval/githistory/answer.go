package githistory

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/itchyny/gojq"
)

// Format is how a tool writes its answer.
type Format string

// The formats of an answer.
const (
	// Auto takes JSON or JSON lines where the answer is that, else lines.
	Auto Format = "auto"
	// Lines is one path a line, nothing else on it.
	Lines Format = "lines"
	// JSON is one JSON value.
	JSON Format = "json"
	// JSONLines is one JSON value a line.
	JSONLines Format = "jsonl"
	// Text is anything else: the jq path gets the whole answer as one string and makes paths of it.
	Text Format = "text"
)

// pathKeys are the names under which a result usually holds its path; listKeys those of the list of results.
var (
	pathKeys = []string{"path", "file", "file_path", "filePath", "filepath", "filename", "fileName", "relative_path", "relativePath", "rel_path", "uri", "name"}
	listKeys = []string{"results", "files", "matches", "hits", "items", "data", "candidates", "paths", "documents", "chunks", "references"}
)

// parseAnswer reads the paths of an answer in their order, repeats kept. An answer that is not of the stated
// format is an error, which is the tool's own.
func parseAnswer(text []byte, format Format, query *gojq.Code) ([]string, error) {
	trimmed := strings.TrimSpace(string(text))
	if trimmed == "" {
		return nil, nil
	}
	switch format {
	case Lines:
		return parseLines(string(text)), nil
	case Text:
		if query == nil {
			return nil, errors.New("answer: have text, want a jq path that makes paths of it")
		}
		return pathsOf(string(text), query)
	case JSON:
		value, err := decodeOne(trimmed)
		if err != nil {
			return nil, fmt.Errorf("answer: %w", err)
		}
		return pathsOf(value, query)
	case JSONLines:
		values, err := decodeLines(trimmed)
		if err != nil {
			return nil, err
		}
		return pathsOfEach(values, query)
	}
	if value, err := decodeOne(trimmed); err == nil && isContainer(value) {
		return pathsOf(value, query)
	}
	if values, err := decodeLines(trimmed); err == nil && isContainer(values[0]) {
		return pathsOfEach(values, query)
	}
	if query != nil {
		return nil, errors.New("answer: have text, want JSON for the jq path")
	}
	return parseLines(string(text)), nil
}

// parseLines drops empty lines only; a carriage return goes where every line ends with one.
func parseLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	windows := true
	for _, line := range lines {
		windows = windows && strings.HasSuffix(line, "\r")
	}
	var paths []string
	for _, line := range lines {
		if windows {
			line = strings.TrimSuffix(line, "\r")
		}
		if line != "" {
			paths = append(paths, line)
		}
	}
	return paths
}

func isContainer(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

func decodeOne(text string) (any, error) {
	var value any
	err := json.Unmarshal([]byte(text), &value)
	return value, err
}

func decodeLines(text string) ([]any, error) {
	var values []any
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		value, err := decodeOne(line)
		if err != nil {
			return nil, fmt.Errorf("answer: line %d: %w", number, err)
		}
		values = append(values, value)
	}
	return values, nil
}

func pathsOfEach(values []any, query *gojq.Code) ([]string, error) {
	var paths []string
	for _, value := range values {
		found, err := pathsOf(value, query)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

// pathsOf finds the paths of one JSON value: where the jq path says, or in one of the usual shapes.
func pathsOf(value any, query *gojq.Code) ([]string, error) {
	if query == nil {
		paths, ok := usualPaths(value)
		if !ok {
			return nil, errors.New("answer: have JSON without a list of paths, want one or a jq path to it")
		}
		return paths, nil
	}
	var paths []string
	results := query.Run(value)
	for {
		result, more := results.Next()
		if !more {
			return paths, nil
		}
		switch result := result.(type) {
		case error:
			return nil, fmt.Errorf("answer: jq: %w", result)
		case string:
			paths = append(paths, result)
		case nil:
		case []any:
			for _, element := range result {
				path, ok := element.(string)
				if !ok {
					return nil, fmt.Errorf("answer: jq: have a list with a %T, want paths", element)
				}
				paths = append(paths, path)
			}
		default:
			return nil, fmt.Errorf("answer: jq: have a %T, want a path", result)
		}
	}
}

// usualPaths reads a path, a list of paths, a list of objects with a path, or an object that holds such a list.
func usualPaths(value any) ([]string, bool) {
	switch value := value.(type) {
	case string:
		return []string{value}, true
	case []any:
		paths := []string{}
		for _, element := range value {
			found, ok := usualPaths(element)
			if !ok {
				return nil, false
			}
			paths = append(paths, found...)
		}
		return paths, true
	case map[string]any:
		for _, key := range pathKeys {
			if path, ok := value[key].(string); ok {
				return []string{path}, true
			}
		}
		for _, key := range listKeys {
			if list, ok := value[key].([]any); ok {
				return usualPaths(list)
			}
		}
	}
	return nil, false
}

// compileJQ compiles the path of a tool; empty is none.
func compileJQ(path string) (*gojq.Code, error) {
	if path == "" {
		return nil, nil
	}
	parsed, err := gojq.Parse(path)
	if err != nil {
		return nil, fmt.Errorf("jq path %q: %w", path, err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, fmt.Errorf("jq path %q: %w", path, err)
	}
	return code, nil
}

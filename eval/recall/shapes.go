package recall

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The names that retrieval tools use. Order decides where an object holds several.
var (
	listKeys  = []string{"results", "hits", "items", "matches", "entries", "documents", "docs", "records", "memories", "chunks", "nodes", "passages", "answers", "output", "response", "data", "content", "result"}
	bodyKeys  = []string{"body", "content", "text", "page_content", "passage", "chunk", "snippet", "document", "summary", "answer", "message", "memory", "value"}
	innerKeys = []string{"entry", "item", "node", "document", "doc", "record", "chunk", "memory", "payload", "_source", "source", "hit", "content", "result", "data", "fields", "metadata"}
	idKeys    = []string{"id", "_id", "doc_id", "document_id", "entry_id", "uuid", "key", "uri", "path"}
	errorKeys = []string{"error", "errors"}
)

// maxDepth is how deep lists and bodies are looked for: as deep as search engines nest them (hits.hits[]._source.body).
const maxDepth = 4

// usual finds results in what was printed without being told where.
func usual(values []any) ([]Found, error) {
	if len(values) > 1 { // JSON lines: each is a result
		return resultsOf(values)
	}
	if values[0] == nil {
		return nil, nil
	}
	list, isList := findList(values[0], maxDepth)
	if len(list) > 0 {
		return resultsOf(list)
	}
	if reason, failed := reportedError(values[0]); failed {
		return nil, fmt.Errorf("it reports an error: %s", reason)
	}
	if isList {
		return nil, nil
	}
	if one, ok := result(values[0]); ok {
		return []Found{one}, nil
	}
	if nullList(values[0]) {
		return nil, nil
	}
	return nil, fmt.Errorf("no results found in %s; a jq path can say where they are", shownValue(values[0]))
}

// findList is the first list under a usual name, looked for level by level.
func findList(value any, depth int) ([]any, bool) {
	if list, ok := value.([]any); ok {
		return list, true
	}
	object, ok := value.(map[string]any)
	if !ok || depth == 0 {
		return nil, false
	}
	for _, key := range listKeys {
		if list, ok := object[key].([]any); ok {
			return list, true
		}
	}
	for _, key := range listKeys {
		if inner, ok := object[key].(map[string]any); ok {
			if list, ok := findList(inner, depth-1); ok {
				return list, true
			}
		}
	}
	return nil, false
}

// nullList says that a usual name of a list holds null: what some encoders make of an empty one.
func nullList(value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range listKeys {
		if member, has := object[key]; has && member == nil {
			return true
		}
	}
	return false
}

// resultsOf reads each item as a result. Items of which none has a body are an error: they would all be blank,
// and blank is a finding about the tool, not about our reading of it.
func resultsOf(items []any) ([]Found, error) {
	var found []Found
	known := len(items) == 0
	for _, item := range items {
		one, ok := result(item)
		known = known || ok
		found = append(found, one)
	}
	if !known {
		return nil, fmt.Errorf("no body found in %s; a jq path can say where it is", shownValue(items[0]))
	}
	return found, nil
}

// result reads one result: a text, nothing, or an object with a body.
func result(item any) (Found, bool) {
	switch value := item.(type) {
	case nil:
		return Found{}, true
	case string:
		return Found{Body: value}, true
	case map[string]any:
		body, ok := findBody(value, maxDepth)
		return Found{ID: findID(value, maxDepth), Body: body}, ok
	default:
		return Found{}, false
	}
}

// findBody is the first text under a usual name, this level before deeper ones. A null body is a blank one.
func findBody(object map[string]any, depth int) (string, bool) {
	null := false
	for _, key := range bodyKeys {
		switch value := object[key].(type) {
		case string:
			return value, true
		case []any:
			if text, ok := joined(value); ok {
				return text, true
			}
		case nil:
			_, has := object[key]
			null = null || has
		}
	}
	if depth > 0 {
		for _, key := range innerKeys {
			if inner, ok := object[key].(map[string]any); ok {
				if text, ok := findBody(inner, depth-1); ok {
					return text, true
				}
			}
		}
	}
	return "", null
}

// joined is a list of texts, or of objects with a text each, as one body.
func joined(list []any) (string, bool) {
	var parts []string
	for _, item := range list {
		switch value := item.(type) {
		case string:
			parts = append(parts, value)
		case map[string]any:
			text, ok := value["text"].(string)
			if !ok {
				return "", false
			}
			parts = append(parts, text)
		default:
			return "", false
		}
	}
	return strings.Join(parts, "\n"), true
}

// findID is the first id under a usual name, as a text.
func findID(object map[string]any, depth int) string {
	for _, key := range idKeys {
		switch value := object[key].(type) {
		case string:
			return value
		case json.Number:
			return value.String()
		}
	}
	if depth > 0 {
		for _, key := range innerKeys {
			if inner, ok := object[key].(map[string]any); ok {
				if id := findID(inner, depth-1); id != "" {
					return id
				}
			}
		}
	}
	return ""
}

// reportedError is the error that an answer reports of itself.
func reportedError(value any) (string, bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return "", false
	}
	for _, key := range errorKeys {
		if member := object[key]; member != nil && member != false && member != "" {
			return shownValue(member), true
		}
	}
	return "", false
}

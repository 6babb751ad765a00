package githistory

import (
	"bytes"
	"fmt"
	"strings"
)

// change is one path that a commit touched, as `diff-tree --raw` gives it.
type change struct {
	status       byte // A, M, D or T
	oldID, newID string
	oldMode      string
	newMode      string
	path         string
}

// parseChanges reads the output of `diff-tree --stdin --raw -z`: a commit id, then a record and a path a change.
// A path may hold any byte but NUL, so it is only ever the field after a record.
func parseChanges(out []byte) (map[string][]change, error) {
	changes := map[string][]change{}
	commit := ""
	fields := bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0})
	for i := 0; i < len(fields); i++ {
		field := string(fields[i])
		if !strings.HasPrefix(field, ":") {
			commit = strings.TrimSuffix(field, "\n")
			if commit != "" {
				changes[commit] = []change{}
			}
			continue
		}
		parts := strings.Fields(field[1:])
		if len(parts) != 5 || len(parts[4]) != 1 || i+1 >= len(fields) || commit == "" {
			return nil, fmt.Errorf("git diff-tree: have record %q, want two modes, two ids, a status and a path", field)
		}
		i++
		changes[commit] = append(changes[commit], change{
			oldMode: parts[0], newMode: parts[1], oldID: parts[2], newID: parts[3],
			status: parts[4][0], path: string(fields[i]),
		})
	}
	return changes, nil
}

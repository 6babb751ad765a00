package githistory

import (
	"fmt"
	"strconv"
	"strings"
)

// hunk is one changed place of a file: lines from..from+count-1 on each side, from 1. A count of 0 is a place
// between line from and the next.
type hunk struct {
	oldStart, oldCount int
	newStart, newCount int
}

// parsePatch reads the hunks of every file of a patch without context lines, by the path of the old side. A
// removed line may look like any header, so the lines of a hunk are counted, not recognised.
func parsePatch(text []byte) (map[string][]hunk, error) {
	hunks := map[string][]hunk{}
	path, header, left := "", false, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, `\`):
		case left > 0:
			left--
		case strings.HasPrefix(line, "diff --git "):
			path, header = "", true
		case header && strings.HasPrefix(line, "--- "):
			name, err := patchPath(line[len("--- "):])
			if err != nil {
				return nil, err
			}
			path = name
		case strings.HasPrefix(line, "@@ "):
			h, err := parseHunk(line)
			if err != nil {
				return nil, err
			}
			header, left = false, h.oldCount+h.newCount
			if path != "" {
				hunks[path] = append(hunks[path], h)
			}
		}
	}
	return hunks, nil
}

// patchPath is the path of a "---" line, or empty for a file that was not there.
func patchPath(name string) (string, error) {
	if strings.HasPrefix(name, `"`) {
		unquoted, err := strconv.Unquote(name)
		if err != nil {
			return "", fmt.Errorf("git diff-tree: have path %s, want C quotes: %w", name, err)
		}
		name = unquoted
	} else {
		name = strings.TrimSuffix(name, "\t") // git ends a name that holds blanks with a tab
	}
	if path, ok := strings.CutPrefix(name, "a/"); ok {
		return path, nil
	}
	return "", nil
}

// parseHunk reads "@@ -3,2 +3,0 @@"; an absent count is 1.
func parseHunk(line string) (hunk, error) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return hunk{}, fmt.Errorf("git diff-tree: have %q, want a hunk", line)
	}
	oldStart, oldCount, err := span(fields[1], "-")
	if err != nil {
		return hunk{}, err
	}
	newStart, newCount, err := span(fields[2], "+")
	return hunk{oldStart, oldCount, newStart, newCount}, err
}

func span(field, sign string) (start, count int, err error) {
	text, ok := strings.CutPrefix(field, sign)
	first, second, counted := strings.Cut(text, ",")
	start, err = strconv.Atoi(first)
	count = 1
	if err == nil && counted {
		count, err = strconv.Atoi(second)
	}
	if !ok || err != nil || start < 0 || count < 0 {
		return 0, 0, fmt.Errorf("git diff-tree: have range %q, want %s<line>,<count>", field, sign)
	}
	return start, count, nil
}

// oldLine is the line of the old side that stands unchanged at a line of the new side; false where the line is new.
func oldLine(hunks []hunk, line int) (int, bool) {
	shift := 0
	for _, h := range hunks {
		if line < h.newStart || h.newCount == 0 && line == h.newStart {
			break
		}
		if line < h.newStart+h.newCount {
			return 0, false
		}
		shift += h.newCount - h.oldCount
	}
	return line - shift, true
}

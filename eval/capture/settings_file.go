package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SettingsFile is the place of Claude Code's settings below the home folder, or below a project.
const SettingsFile = ".claude/settings.json"

// ReadSettings reads a settings file; one that is not there is empty.
func ReadSettings(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// WriteSettings replaces a settings file in one step, with the rights that it had. A link stays a link.
func WriteSettings(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part := path + ".part"
	err := os.WriteFile(part, text, mode)
	if err == nil {
		err = errors.Join(os.Chmod(part, mode), os.Rename(part, path))
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// Diff shows what a change of settings does, line by line: "+" is added, "-" is removed, everything else is left
// out. It is empty where nothing changes.
func Diff(before, after []byte) string {
	old, now := lines(before), lines(after)
	// common[i][j] is the length of the longest common subsequence of old[i:] and now[j:]
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	for i, j := 0, 0; i < len(old) || j < len(now); {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			i++
			j++
		case j == len(now) || i < len(old) && common[i+1][j] >= common[i][j+1]:
			out.WriteString("- " + old[i] + "\n")
			i++
		default:
			out.WriteString("+ " + now[j] + "\n")
			j++
		}
	}
	return out.String()
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

package capture

import "strings"

// SettingsFile is the place of Claude Code's settings below the home folder, or below a project.
const SettingsFile = ".claude/settings.json"

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

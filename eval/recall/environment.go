package recall

import (
	"fmt"
	"strconv"
)

// The two variables of the environment that are obeyed. What came from them is named in the output.
const (
	// LimitVariable stands for the flag that says how many results are scored.
	LimitVariable = "LIMIT"
	// OutVariable stands for the flag that says where results.json goes.
	OutVariable = "JSON_OUT"
)

// DefaultOut is where results go where nothing else is said.
const DefaultOut = "results.json"

// Settings are the limit and the output file, with where they came from.
type Settings struct {
	// Limit is how many results are scored.
	Limit int
	// Out is the file that results are written to.
	Out string
	// From says which of them the environment set, such as "limit 10 (LIMIT)"; empty where it set none.
	From []string
}

// SettingsFrom takes each setting from its flag where that was given, else from the environment, else the limit
// from the baseline (0 where there is none), else the default. A value that cannot be used means that the command
// line is wrong (exit 2).
func SettingsFrom(limitFlag, outFlag string, baselineLimit int, lookup func(string) (string, bool)) (Settings, error) {
	settings := Settings{Limit: DefaultLimit, Out: DefaultOut}
	if baselineLimit > 0 {
		settings.Limit = baselineLimit
	}
	text, name := limitFlag, "--limit"
	if value, ok := lookup(LimitVariable); ok && text == "" && value != "" {
		text, name = value, LimitVariable
		settings.From = append(settings.From, fmt.Sprintf("limit %s (%s)", value, LimitVariable))
	}
	if text != "" {
		limit, err := strconv.Atoi(text)
		if err != nil || limit < 1 {
			return Settings{}, fmt.Errorf("%s: have %q, want a whole number of at least 1", name, text)
		}
		settings.Limit = limit
	}
	if value, ok := lookup(OutVariable); ok && outFlag == "" && value != "" {
		settings.Out = value
		settings.From = append(settings.From, fmt.Sprintf("results to %s (%s)", value, OutVariable))
	}
	if outFlag != "" {
		settings.Out = outFlag
	}
	return settings, nil
}

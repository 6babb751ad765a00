package schema

import "strings"

// A Form is a pattern that a string must have. The empty Form allows any.
type Form string

// The forms of strings.
const (
	// FormID is an id that is a path segment on every system.
	FormID Form = "id"
	// FormRunID is 32 lower-case hex digits.
	FormRunID Form = "run_id"
	// FormSHA256 is 64 lower-case hex digits.
	FormSHA256 Form = "sha256"
	// FormCommit is a full commit id: 40 or 64 lower-case hex digits.
	FormCommit Form = "commit"
	// FormSemver is MAJOR.MINOR.PATCH.
	FormSemver Form = "semver"
	// FormSeed is an integer, or a string of digits.
	FormSeed Form = "seed"
)

// Want says in words what the form asks for.
func (f Form) Want() string {
	switch f {
	case FormID:
		return "letters, digits, '.', '_', '-' (at most 128, first a letter or digit, last no dot, no Windows device name)"
	case FormRunID:
		return "32 lower-case hex digits"
	case FormSHA256:
		return "64 lower-case hex digits"
	case FormCommit:
		return "40 or 64 lower-case hex digits"
	case FormSemver:
		return "MAJOR.MINOR.PATCH"
	case FormSeed:
		return "an integer, or a string of digits beyond 2^53-1"
	}
	return "a string"
}

// Pattern is the form as a regular expression of JSON Schema, or empty.
func (f Form) Pattern() string {
	switch f {
	case FormID:
		return `^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$`
	case FormRunID:
		return `^[0-9a-f]{32}$`
	case FormSHA256:
		return `^[0-9a-f]{64}$`
	case FormCommit:
		return `^(?:[0-9a-f]{40}|[0-9a-f]{64})$`
	case FormSemver:
		return `^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)$`
	case FormSeed:
		return `^[0-9]+$`
	}
	return ""
}

// devicePattern matches the Windows device names, which are no ids.
const devicePattern = `^(?:[cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|[cC][oO][mM][1-9]|[lL][pP][tT][1-9])(?:\.|$)`

// Match reports whether s has the form.
func (f Form) Match(s string) bool {
	switch f {
	case FormID:
		return ValidID(s)
	case FormRunID:
		return len(s) == 32 && isHex(s)
	case FormSHA256:
		return len(s) == 64 && isHex(s)
	case FormCommit:
		return (len(s) == 40 || len(s) == 64) && isHex(s)
	case FormSemver:
		if s == Version {
			return true
		}
		_, err := ParseSemver(s)
		return err == nil
	case FormSeed:
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return true
}

// narrow reports whether no text of the form can hold a secret.
func (f Form) narrow() bool {
	switch f {
	case FormRunID, FormSHA256, FormCommit, FormSemver:
		return true
	}
	return false
}

// ValidID reports whether s can be a path segment on every system:
// [A-Za-z0-9][A-Za-z0-9._-]{0,127}, no dot at the end, no Windows device name.
func ValidID(s string) bool {
	if s == "" || len(s) > 128 || !isAlphanumeric(s[0]) || s[len(s)-1] == '.' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return !isDevice(s)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDevice(s string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(s), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "COM" || stem[:3] == "LPT") && stem[3] >= '1' && stem[3] <= '9'
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

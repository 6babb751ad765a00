package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is the contract version that this program writes and fully reads.
const Version = "1.1.0"

// A Semver is a parsed contract version.
type Semver struct {
	// Major changes when an old reader would misread the document.
	Major int
	// Minor changes when optional keys or event types are added.
	Minor int
	// Patch changes when only words do.
	Patch int
}

// ParseSemver reads MAJOR.MINOR.PATCH without leading zeros or suffixes.
func ParseSemver(s string) (Semver, error) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return Semver{}, fmt.Errorf("have %q, want MAJOR.MINOR.PATCH", s)
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || strconv.Itoa(v) != p {
			return Semver{}, fmt.Errorf("have %q, want MAJOR.MINOR.PATCH", s)
		}
		n[i] = v
	}
	return Semver{n[0], n[1], n[2]}, nil
}

// Current is Version, parsed.
func Current() Semver {
	v, err := ParseSemver(Version)
	if err != nil {
		panic(err)
	}
	return v
}

// Readable reports whether this program can read documents of version v, and
// whether v is a newer minor version, whose unknown keys are only noted.
func (v Semver) Readable() (ok, newerMinor bool) {
	c := Current()
	return v.Major == c.Major, v.Major == c.Major && v.Minor > c.Minor
}

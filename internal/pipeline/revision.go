package pipeline

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// CodeRevision names the code that is running: the module's version, or the
// revision of its repository. A modified tree has no name of its own, so it adds
// "+dirty." and 12 hex digits of the hash of the executable.
func CodeRevision() (string, error) {
	info, ok := debug.ReadBuildInfo()
	revision, dirty := "", true
	if ok {
		revision, dirty = buildRevision(info)
	}
	if !dirty {
		return revision, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, _, err := dataset.HashFile(path)
	if err != nil {
		return "", err
	}
	return revision + "+dirty." + sum[:12], nil
}

// buildRevision reads the revision from the build; a build that names none, as
// of a test, counts as modified.
func buildRevision(info *debug.BuildInfo) (revision string, dirty bool) {
	revision = "unknown"
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	switch vcs := settings["vcs.revision"]; {
	case vcs != "":
		return vcs, settings["vcs.modified"] == "true"
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version, false
	}
	return revision, true
}

// CreationTime is the time to write into lineage files: SOURCE_DATE_EPOCH where
// the environment sets it, else now.
func CreationTime() (schema.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return schema.TimeOf(time.Now()), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > 253402300799 { // the end of the year 9999
		return 0, fmt.Errorf("SOURCE_DATE_EPOCH: have %q, want whole seconds since 1970", text)
	}
	return schema.TimeOf(time.Unix(seconds, 0)), nil
}

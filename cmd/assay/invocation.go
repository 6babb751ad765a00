package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// programName is what a printed command begins with.
const programName = "assay"

// invocation is how a person who typed argv0 calls the program again: by its name
// where the shell finds it, else by the path that was typed, such as bin/assay. A
// program that go run built is gone by then, so its name has to do.
func invocation(argv0 string) string {
	if !strings.ContainsRune(argv0, filepath.Separator) || strings.Contains(argv0, "go-build") {
		return programName
	}
	found, err := exec.LookPath(programName)
	if err == nil && sameFile(found, argv0) {
		return programName
	}
	return shellQuote(argv0)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// repeated are the flags of a command line as they were given, without those named.
func repeated(flags *pflag.FlagSet, without ...string) string {
	var b strings.Builder
	left := map[string]bool{}
	for _, name := range without {
		left[name] = true
	}
	flags.Visit(func(f *pflag.Flag) {
		if left[f.Name] {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if b.WriteString(" --" + f.Name); f.NoOptDefVal == "" || v != f.NoOptDefVal {
				b.WriteString(map[bool]string{true: " ", false: "="}[f.NoOptDefVal == ""] + shellQuote(v))
			}
		}
	})
	return b.String()
}

package command

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Executable is the file that the first word of a command resolves to.
type Executable struct {
	// Path is absolute. It belongs in a message, never in a report: it differs between machines.
	Path string
	// SHA256 is over its bytes: a rebuilt tool is another tool.
	SHA256 string
}

// Resolve finds the program of a filled command line and hashes it. An error means that the command
// cannot be started at all.
func Resolve(args []string) (Executable, error) {
	if len(args) == 0 {
		return Executable{}, fmt.Errorf("command: have no words, want a program")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return Executable{}, fmt.Errorf("command %s: %w", args[0], err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Executable{}, fmt.Errorf("command %s: %w", args[0], err)
	}
	file, err := os.Open(path)
	if err != nil {
		return Executable{}, fmt.Errorf("command %s: %w", args[0], err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return Executable{}, fmt.Errorf("command %s: %w", path, err)
	}
	return Executable{Path: path, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

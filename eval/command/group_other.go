//go:build !unix

package command

import "os/exec"

// Group leaves cmd as it is: this system has no process groups to kill, so only the program itself is ended.
func Group(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return KillGroup(cmd) }
}

// KillGroup ends the program that cmd started.
func KillGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return cmd.Process.Kill()
}

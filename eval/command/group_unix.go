//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// Group makes cmd start in a process group of its own and makes its cancellation end the whole group.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return KillGroup(cmd) }
}

// KillGroup ends every process of the group that cmd started. It is safe after cmd has ended and
// does nothing where it never began.
func KillGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

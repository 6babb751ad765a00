package command

import (
	"io"
	"os"
	"os/exec"
	"time"
)

// runGroup starts cmd, calls started once it runs, waits for its end, ends what it left in its group, and returns
// when its output is in the two writers. Because the group is ended first, what was printed is read to its end
// however late the reader comes, and nobody waits for what the program left behind.
func runGroup(cmd *exec.Cmd, stdout, stderr io.Writer, started func() (stop func() bool)) error {
	out, err := newDrain(stdout)
	if err != nil {
		return err
	}
	defer out.finish()
	talk, err := newDrain(stderr)
	if err != nil {
		return err
	}
	defer talk.finish()
	cmd.Stdout, cmd.Stderr = out.write, talk.write
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := started()
	defer stop()
	err = cmd.Wait()
	KillGroup(cmd)
	return err
}

// drain is a pipe: a program writes to one end, a writer gets what comes out of the other.
type drain struct {
	read, write *os.File
	done        chan struct{}
}

func newDrain(w io.Writer) (*drain, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	d := &drain{read, write, make(chan struct{})}
	go func() {
		defer close(d.done)
		io.Copy(w, read)
	}()
	return d, nil
}

// finish returns when everything was read, or waitDelay later where something outside of the group still holds
// the other end.
func (d *drain) finish() {
	d.write.Close()
	if d.read.SetReadDeadline(time.Now().Add(waitDelay)) != nil { // this system has none for pipes
		defer time.AfterFunc(waitDelay, func() { d.read.Close() }).Stop()
	}
	<-d.done
	d.read.Close()
}

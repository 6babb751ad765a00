package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/record"
)

// recordOptions are the flags of assay record.
type recordOptions struct {
	manifest, out string
	retry         bool
	buffered      bool
	noClock       bool
}

func recordCommand(a *app) *cobra.Command {
	var o recordOptions
	c := &cobra.Command{
		Use:   "record --manifest FILE [-o RAW]",
		Short: "Write one run directory from events on standard input",
		Long: `Reads events, one JSON object a line, {"type":…,"data":{…}}, and writes the run directory that the
manifest names: numbered, timed, each event checked against the contract before it is written. What looks like a
secret is refused, and so are values of the environment's secrets. The directory must not exist; killed at any
instant it holds whole events and at most one cut line. At the first refused line the command ends with exit 1,
and the events before it stay. Exits 3 where the input ends without run_finished.`,
		Example: `  harness | assay record --manifest run_manifest.json -o raw
  assay record --manifest run_manifest.json --retry < events.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runRecord(c.Context(), a, o) },
	}
	f := c.Flags()
	f.StringVar(&o.manifest, "manifest", "", "the run's manifest; ids and hashes that follow from the rest may be absent")
	f.StringVarP(&o.out, "out", "o", "raw", "the root of the run directories")
	f.StringVar(&o.out, "root", "raw", "the same as --out")
	f.BoolVar(&o.retry, "retry", false, "set an unfinished run of the same id aside and write it anew")
	f.BoolVar(&o.buffered, "buffered", false, "write in blocks: faster, for runs that can be made again")
	f.BoolVar(&o.noClock, "no-clock", false, "leave missing times null instead of taking the time of arrival")
	return c
}

// recordedJSON is what was written, for programs.
type recordedJSON struct {
	// RunID is the run's id.
	RunID string `json:"run_id"`
	// Path is the run directory.
	Path string `json:"path"`
	// Events counts the events written.
	Events int64 `json:"events"`
	// Finished says whether run_finished was among them.
	Finished bool `json:"finished"`
}

func runRecord(ctx context.Context, a *app, o recordOptions) error {
	if o.manifest == "" {
		return usageError(fmt.Errorf("record: have no --manifest, want the file that says what the run is\nsee: assay record --help"))
	}
	text, err := os.ReadFile(o.manifest)
	if err != nil {
		return err
	}
	m, err := record.ParseManifest(o.manifest, text)
	if err != nil {
		return err
	}
	s, err := record.Stream(ctx, untilDone(ctx, a.in), record.StreamOptions{Options: o.recordOptions(), Root: o.out, Manifest: m, Name: "stdin"})
	if err != nil {
		if s.Path != "" {
			a.say("%d events stay in %s, which is unfinished; --retry sets it aside", s.Events, s.Path)
		}
		return err
	}
	if a.json {
		err = a.printJSON(recordedJSON{s.RunID, s.Path, s.Events, s.Finished})
	} else {
		_, err = fmt.Fprintln(a.out, s.Path)
		a.say("%d events of run %s", s.Events, s.RunID)
	}
	if err != nil {
		return err
	}
	if !s.Finished {
		a.say("the input ended without run_finished: the run is unfinished and will be excluded")
		return notClean()
	}
	a.next("assay validate " + shellQuote(o.out))
	return nil
}

func (o recordOptions) recordOptions() record.Options {
	out := record.Options{Retry: o.retry, Environ: os.Environ(), Clock: record.SystemClock}
	if o.buffered {
		out.Durability = record.Buffered
	}
	if o.noClock {
		out.Clock = nil
	}
	return out
}

// untilDone reads until the context ends: a read of a pipe that nobody writes to
// would otherwise outlive an interrupt.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	stop := context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(pw, r)
		stop()
		pw.CloseWithError(err)
	}()
	return pr
}

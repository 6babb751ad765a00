package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
)

// scaleRuns and scaleQueries set the size of TestScale; make scale raises them.
const (
	scaleRuns    = "ASSAY_SCALE_RUNS"
	scaleQueries = "ASSAY_SCALE_QUERIES"
	scaleRaw     = "ASSAY_SCALE_RAW"
	scaleOut     = "ASSAY_SCALE_OUT"
)

// TestMain lets the test binary be the program whose memory and files TestScale
// bounds.
func TestMain(m *testing.M) {
	if out := os.Getenv(scaleOut); out != "" {
		s, err := pipeline.Derive(context.Background(), []string{os.Getenv(scaleRaw)}, out, pipeline.Options{CodeRevision: "test", Workers: 2})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		peak, err := peakMemory()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%d kB\n%+v\n", peak, *s)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// peakMemory is the most memory that this process held since it began, in kB. What getrusage says of a child is at
// least what its parent held when it was started, which depends on the tests before.
func peakMemory() (kilobytes int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	_, err = fmt.Sscan(peak, &kilobytes)
	return kilobytes, err
}

// TestScale derives many runs with 64 open files and 256 MB at most: neither may
// grow with the number of runs, and the tables have a handful of row groups.
func TestScale(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files and memory are bounded with ulimit and measured on Linux")
	}
	raw := os.Getenv(scaleRaw)
	n := number(scaleRuns, 3000) // as many as in the bug reports that this test holds off
	if raw == "" {
		raw = t.TempDir()
		for i := range n {
			fixture{task: fmt.Sprintf("t%d", i%50), repetition: int64(i/50 + 1), queries: number(scaleQueries, 2)}.write(t, raw)
		}
	}
	out := t.TempDir()
	limited := exec.Command("sh", "-c", `ulimit -n 64 && exec "$0"`, os.Args[0])
	limited.Env = append(os.Environ(), scaleOut+"="+out, scaleRaw+"="+raw, "GOGC=", "GOMEMLIMIT=", "GODEBUG=", "GOMAXPROCS=2")
	var said strings.Builder
	limited.Stderr = &said
	text, err := limited.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var peak int64
	if _, err := fmt.Sscan(string(text), &peak); err != nil {
		t.Fatalf("%v: have %q, want the peak of memory first", err, text)
	}
	t.Logf("%d runs: %.2f s of processor time, %d MB; %s", n,
		(limited.ProcessState.UserTime() + limited.ProcessState.SystemTime()).Seconds(), peak>>10, text)
	if peak>>10 > 256 && !raceDetector {
		t.Errorf("have %d MB, want at most 256", peak>>10)
	}
	d, err := dataset.Open(out)
	check(t, err)
	for _, f := range d.Lineage.Files {
		foot, err := dataset.ReadFooter(filepath.Join(d.Dir, f.Path))
		check(t, err)
		if most := 10 + int(f.Rows>>17); foot.RowGroups > most {
			t.Errorf("%s: have %d row groups, want at most %d", f.Path, foot.RowGroups, most)
		}
	}
	if n <= 3000 {
		free := derive(t, pipeline.Options{Workers: 2}, raw)
		have, want := hashes(t, d.Dir), hashes(t, free.Dir)
		if !reflect.DeepEqual(have, want) {
			t.Error("have other bytes than without the limits")
		}
	}
}

func number(name string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(os.Getenv(name)))
	if err != nil {
		return otherwise
	}
	return n
}

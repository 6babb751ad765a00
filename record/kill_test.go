package record_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// childRoot names the variable that makes the test program write runs until it is killed.
const childRoot = "ASSAY_TEST_RECORD_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(childRoot); root != "" {
		writeForever(root)
	}
	os.Exit(m.Run())
}

// writeForever writes runs, durable and buffered in turn, and never returns.
func writeForever(root string) {
	for n := int64(1); ; n++ {
		m := manifest()
		m.Repetition = schema.Some(n)
		w, err := record.Create(root, m, record.Options{Durability: record.Durability(n % 2), Clock: record.SystemClock})
		if err != nil {
			panic(err)
		}
		w.Append(noTime, started())
		for i := range 300 {
			p := schema.ToolCall{CallID: "c", Name: "größe", Status: schema.StatusOK.Name, ResultBytes: schema.Some(int64(i))}
			if err := w.Append(noTime, p); err != nil {
				panic(err)
			}
		}
		if err := w.WritePatch([]byte("x\n")); err != nil {
			panic(err)
		}
		if err := w.Finish(noTime, finished()); err != nil {
			panic(err)
		}
	}
}

// A writer that is killed leaves, in every run directory, a valid manifest and
// whole lines with at most one cut one.
func TestKilledAtAnyInstant(t *testing.T) {
	kills := 60
	if testing.Short() {
		kills = 10
	}
	r := rand.New(rand.NewPCG(1, 1))
	var runs, unfinished, cut int
	for n := 0; n < kills || unfinished+cut == 0 && n < 100*kills; n++ { // on until some kill met a run in writing
		root := t.TempDir()
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childRoot+"="+root)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if !waitForFirstRun(root) {
			child.Process.Kill()
			child.Wait()
			t.Fatal("have no run after five minutes, want the first")
		}
		time.Sleep(time.Duration(r.Int64N(int64(15 * time.Millisecond))))
		child.Process.Kill()
		child.Wait()
		found, err := ingest.Discover([]string{root})
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found.Runs {
			runs++
			run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range run.Findings {
				switch f.Code {
				case &schema.Truncated:
					cut++
				case &schema.RunUnfinished, &schema.TrajectoryEmpty, &schema.TrajectoryMissing:
					unfinished++
				default:
					t.Errorf("%s: %s:%d: %s: have %s, want %s", f.RunPath, f.File, f.Line, f.Code.Name, f.Have, f.Want)
				}
			}
			if code := run.ExcludedBy(); code != nil {
				repeat(t, root, run)
			}
		}
	}
	t.Logf("%d kills: %d runs, %d without an end, %d with a cut line", kills, runs, unfinished, cut)
	if unfinished+cut == 0 {
		t.Error("no kill met a run in writing: the test shows nothing")
	}
}

// repeat sets the run that was killed aside and writes it anew.
func repeat(t *testing.T, root string, run ingest.Run) {
	t.Helper()
	m := manifest()
	m.Repetition = run.Manifest.Repetition
	m.CreatedAt = run.Manifest.CreatedAt
	w, err := record.Create(root, m, record.Options{Retry: true, Durability: record.Buffered})
	if err != nil {
		t.Errorf("%s cannot be repeated: %v", run.Dir.Path, err)
		return
	}
	w.Append(noTime, started())
	if err := w.Finish(noTime, finished()); err != nil {
		t.Error(err)
	}
	if again := readBack(t, w.Path()); again.ExcludedBy() != nil {
		t.Errorf("%s repeated: %v", run.Dir.Path, again.Findings)
	}
}

// waitForFirstRun waits until the child has begun to write; false where it never does.
func waitForFirstRun(root string) bool {
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if list, _ := os.ReadDir(root); len(list) > 0 {
			return true
		}
	}
	return false
}

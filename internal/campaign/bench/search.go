package main

import (
	"encoding/json"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/assay-bench/assay/eval/bm25"
)

// searchFigures are those of the index alone.
type searchFigures struct {
	MBPerSecond float64 `json:"mb_per_s"`
	QueryMS     float64 `json:"query_ms"`
	SlowestMS   float64 `json:"slowest_ms"`
}

// runSearch indexes the files of searched, rounds times, and asks the subjects of
// its tasks. Speed is by processor time of the whole process, the collector's
// included, so that it is a core's whatever else runs.
func runSearch(rounds int) error {
	files, size := make([][]byte, searched.files), 0
	for i := range files {
		files[i] = searched.content(i, 0)
		size += len(files[i])
	}
	var speeds, queries []float64
	var index *bm25.Index
	for range rounds {
		runtime.GC()
		start := processorTime()
		index = bm25.New()
		for _, text := range files {
			index.Add(text)
		}
		speeds = append(speeds, float64(size)/1e6/(processorTime()-start).Seconds())
	}
	slowest := 0.0
	for range rounds {
		var spent time.Duration
		for n := searched.commits - searchTasks + 1; n <= searched.commits; n++ {
			subject, _ := searched.subject(n)
			start := time.Now()
			index.Search(subject, 10)
			took := time.Since(start)
			spent += took
			slowest = max(slowest, took.Seconds()*1000)
		}
		queries = append(queries, spent.Seconds()*1000/searchTasks)
	}
	return json.NewEncoder(os.Stdout).Encode(searchFigures{median(speeds), median(queries), slowest})
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

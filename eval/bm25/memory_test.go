package bm25

import (
	"runtime"
	"testing"
)

// BenchmarkMemory indexes 500 MB in files of 10 KB and reports what the index holds: the target is below 1 GB.
func BenchmarkMemory(b *testing.B) {
	text := sourceText(50 << 20)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		index := New()
		for range 10 {
			for i := 0; i < len(text); i += 10 << 10 {
				index.Add(text[i:min(i+10<<10, len(text))])
			}
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapSys-before.HeapSys)/1e6, "heap-MB")
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapInuse-before.HeapInuse)/1e6, "index-MB")
		b.ReportMetric(float64(index.Len()), "files")
		b.SetBytes(int64(10 * len(text)))
		runtime.KeepAlive(index)
	}
}

package schema

func indexLargest(name, heading, unit, measurement string, typ ColumnType) Metric {
	return Metric{Name: name, Heading: heading, Group: groupIndex, Unit: unit,
		Kind: KindAmount, Type: typ, Direction: LowerBetter, Level: LevelRun,
		Definition:  "the largest " + measurement + " over the run's resource samples of scope index",
		Denominator: "included runs with such a sample",
		Missing:     "no_index_sample",
		Misleads:    "runs that share one index repeat one measurement: count an index once",
		Reads:       []string{EventResourceSample.Name}}
}

func queryQuantile(name, heading, which string) Metric {
	return Metric{Name: name, Heading: heading, Group: groupIndex, Unit: "ms",
		Kind: KindAmount, Type: TypeDouble, Direction: LowerBetter, Level: LevelRun,
		Definition:  which + " of the latencies of the run's retrieval_query events, type 7",
		Denominator: "included runs with a latency",
		Missing:     "no_query",
		Misleads:    "quantiles of runs must not be averaged: table 6 takes them over all queries",
		Source:      "Hyndman and Fan 1996, type 7",
		Reads:       []string{EventRetrievalQuery.Name}}
}

// What the retrieval index costs.
var (
	// IndexBuildMS is how long building the index took.
	IndexBuildMS = indexLargest("index_build_ms", "index build", "ms", "index_build_ms", TypeDouble)
	// IndexUpdateMS is how long updating the index took.
	IndexUpdateMS = indexLargest("index_update_ms", "index update", "ms", "index_update_ms", TypeDouble)
	// IndexRSSBytes is the memory that the index takes.
	IndexRSSBytes = indexLargest("index_rss_bytes", "index RAM", "bytes", "rss_bytes", TypeInteger)
	// IndexDiskBytes is the disk space that the index takes.
	IndexDiskBytes = indexLargest("index_disk_bytes", "index disk", "bytes", "disk_bytes", TypeInteger)
	// QueryP50MS is the median latency of a query.
	QueryP50MS = queryQuantile("query_p50_ms", "query p50", "the median")
	// QueryP95MS is the 95th percentile of the latency of a query.
	QueryP95MS = queryQuantile("query_p95_ms", "query p95", "the 0.95 quantile")
)

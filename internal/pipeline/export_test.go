package pipeline

// WithShardBytes makes shards of another size than the usual one.
func WithShardBytes(o Options, n int64) Options {
	o.shardBytes = n
	return o
}

// Package pipeline turns raw run directories into a dataset: plan, shards,
// commit.
//
// MakePlan lists the directories, reads each manifest, sorts the runs by id and
// settles what no run can know of itself: copies, the cell that a run fills, the
// runs that are extra or in no plan. RunShard is a function from the bytes of a
// contiguous range of runs to content-hashed files; it knows nothing of other
// shards. Commit checks that every shard is there, names the dataset by its
// inputs, code and options, and publishes it in one step.
//
// The result is the same for any number of workers and any order of directories:
// workers give their results back in the order of the runs.
package pipeline

package pipeline

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// ordered calls work for 0..n-1 on some workers at once and collect with the
// results in order. At most some results wait for their turn, so
// that memory does not grow with n. It returns the first error in order; after
// an error or a cancelled context no further work begins, and none is left
// running when it returns.
func ordered[R any](ctx context.Context, workers, n int, work func(i int) (R, error), collect func(i int, r R) error) error {
	return orderedWithin(ctx, workers, n, 1, func(int) int64 { return 0 }, work, collect)
}

// orderedWithin is ordered for work of unequal size: what is at work or waits for
// its turn weighs at most limit together. Work that weighs more than all of it
// is done alone.
func orderedWithin[R any](ctx context.Context, workers, n int, limit int64, weight func(i int) int64,
	work func(i int) (R, error), collect func(i int, r R) error) error {
	if workers == 1 {
		return oneByOne(ctx, n, work, collect)
	}
	type result struct {
		value R
		err   error
	}
	type job struct {
		i    int
		slot chan result
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()

	// Results that may wait for an earlier one: enough that workers go on while a row
	// group is compressed.
	waiting := max(12, 2*workers)
	// Room is taken in order, so that the result that is waited for always has some.
	room := semaphore.NewWeighted(limit)
	share := func(i int) int64 { return min(weight(i), limit) }
	jobs := make(chan job, workers)
	order := make(chan chan result, waiting)
	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for i := range n {
			if room.Acquire(ctx, share(i)) != nil {
				return
			}
			j := job{i, make(chan result, 1)}
			select {
			case order <- j.slot:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				if ctx.Err() != nil {
					continue
				}
				var r result
				r.value, r.err = work(j.i)
				j.slot <- r
			}
		})
	}
	i := 0
	for slot := range order {
		select {
		case r := <-slot:
			if r.err == nil {
				r.err = collect(i, r.value)
			}
			if r.err != nil {
				return r.err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		room.Release(share(i))
		i++
	}
	return context.Cause(ctx)
}

// oneByOne is ordered on a single worker, which also collects.
func oneByOne[R any](ctx context.Context, n int, work func(i int) (R, error), collect func(i int, r R) error) error {
	for i := range n {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		r, err := work(i)
		if err == nil {
			err = collect(i, r)
		}
		if err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

package pipeline

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestOrdered(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var have []int
		err := ordered(context.Background(), workers, 100,
			func(i int) (int, error) {
				time.Sleep(time.Duration(i*37%5) * 100 * time.Microsecond)
				return i * i, nil
			},
			func(i, square int) error { have = append(have, square-i*i+i); return nil })
		if err != nil || !slices.IsSorted(have) || len(have) != 100 {
			t.Errorf("%d workers: have %v %v, want 0 to 99", workers, have, err)
		}
	}
}

// TestOrderedError: the error returned is the first in order, however late it comes.
func TestOrderedError(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	err := ordered(context.Background(), 2, 10, func(i int) (int, error) {
		switch i {
		case 3:
			time.Sleep(20 * time.Millisecond)
			return 0, first
		case 4:
			return 0, second
		}
		return i, nil
	}, func(int, int) error { return nil })
	if err != first {
		t.Errorf("have %v, want the first", err)
	}
}

func TestOrderedCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var running atomic.Int64
	err := ordered(ctx, 2, 1_000_000, func(i int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		if i == 10 {
			cancel()
		}
		return i, nil
	}, func(int, int) error { return nil })
	if err != context.Canceled || running.Load() != 0 {
		t.Errorf("have %v with %d still running, want it cancelled and none running", err, running.Load())
	}
}

// TestOrderedNoMore: what waits for a worker when the context ends is not begun.
func TestOrderedNoMore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	second := make(chan struct{})
	var begun atomic.Int64
	err := ordered(ctx, 2, 100, func(i int) (int, error) {
		begun.Add(1)
		switch i {
		case 0:
			<-second
			cancel()
		case 1:
			close(second)
			<-ctx.Done()
		}
		return i, nil
	}, func(int, int) error { return nil })
	if err != context.Canceled || begun.Load() != 2 {
		t.Errorf("have %v and %d begun, want it cancelled and 2", err, begun.Load())
	}
}

// TestOrderedWithin: what is at work or waits weighs at most the limit, and work
// beyond it is still done.
func TestOrderedWithin(t *testing.T) {
	var inside, most atomic.Int64
	weights := []int64{5, 5, 5, 100, 1, 1, 9, 10, 3}
	err := orderedWithin(context.Background(), 4, len(weights), 10, func(i int) int64 { return weights[i] },
		func(i int) (int, error) {
			now := inside.Add(min(weights[i], 10))
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			return i, nil
		}, func(i, _ int) error { inside.Add(-min(weights[i], 10)); return nil })
	if err != nil || most.Load() > 10 || inside.Load() != 0 {
		t.Errorf("have %v with %d at once, want at most 10", err, most.Load())
	}
}

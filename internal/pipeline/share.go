package pipeline

import (
	"strings"
	"sync"
)

// A freeList keeps what is costly to make for the next one who needs it. It is
// safe for concurrent use.
type freeList[T any] struct {
	mu   sync.Mutex
	free []T
	make func() T
}

func newFreeList[T any](make func() T) *freeList[T] { return &freeList[T]{make: make} }

func (l *freeList[T]) take() T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		v := l.free[n-1]
		l.free = l.free[:n-1]
		return v
	}
	return l.make()
}

func (l *freeList[T]) give(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, v)
}

// An interner keeps one copy of each text, and numbers the texts of a kind.
type interner struct {
	texts   map[string]string
	numbers map[string]map[string]int32
}

func newInterner() *interner {
	return &interner{texts: map[string]string{}, numbers: map[string]map[string]int32{}}
}

func (n *interner) text(s string) string {
	if kept, ok := n.texts[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	n.texts[s] = s
	return s
}

// index numbers the texts of a kind from 0, in the order of their first mention.
func (n *interner) index(kind, s string) (i int32, isNew bool) {
	m := n.numbers[kind]
	if m == nil {
		m = map[string]int32{}
		n.numbers[kind] = m
	}
	if i, ok := m[s]; ok {
		return i, false
	}
	i = int32(len(m))
	m[n.text(s)] = i
	return i, true
}

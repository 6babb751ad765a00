package simulate

import "math/rand/v2"

// A stream is a run's, a task's or a repository's own sequence of random numbers.
type stream struct {
	*rand.Rand
	source rand.PCG
}

// The kinds of streams.
const (
	streamRepository = iota + 1
	streamTask
	streamOutcome
	streamDetail
	streamFault
)

// newStream returns the stream of a thing, by its kind and place.
func newStream(seed uint64, kind, place int) *stream {
	s := &stream{}
	s.Rand = rand.New(&s.source)
	s.restart(seed, kind, place)
	return s
}

// restart begins the stream of another thing.
func (s *stream) restart(seed uint64, kind, place int) {
	s.source.Seed(mix(seed), mix(uint64(kind)<<48^uint64(place)))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): near
// seeds give streams that are far from each other.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package stats

import "math/bits"

// A philox is a counter-based generator, Philox4x64-10 (Salmon, Moraes, Dror and
// Shaw, SC'11): the numbers of draw i of a seed are a function of the two, so
// draws may be made in any order by any number of workers.
type philox struct {
	seed    uint64
	counter [4]uint64
	block   [4]uint64
	left    int // words of the block that were not handed out
	half    uint32
	hasHalf bool
}

// newPhilox starts the stream of a draw.
func newPhilox(seed, draw uint64) philox {
	return philox{seed: seed, counter: [4]uint64{0, draw}}
}

// next64 gives 64 random bits.
func (g *philox) next64() uint64 {
	if g.left == 0 {
		g.block = philoxBlock(g.counter, g.seed, 0)
		g.counter[0]++
		g.left = 4
	}
	w := g.block[4-g.left]
	g.left--
	return w
}

// next32 gives 32 random bits.
func (g *philox) next32() uint32 {
	if g.hasHalf {
		g.hasHalf = false
		return g.half
	}
	w := g.next64()
	g.half, g.hasHalf = uint32(w>>32), true
	return uint32(w)
}

// below gives a number in [0, n) without bias (Lemire, ACM Transactions on
// Modeling and Computer Simulation 29 (2019) 3).
func (g *philox) below(n uint32) uint32 {
	m := uint64(g.next32()) * uint64(n)
	if low := uint32(m); low < n {
		for reject := -n % n; low < reject; low = uint32(m) {
			m = uint64(g.next32()) * uint64(n)
		}
	}
	return uint32(m >> 32)
}

// philoxBlock is ten rounds over one counter.
func philoxBlock(c [4]uint64, k0, k1 uint64) [4]uint64 {
	const (
		m0, m1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
		w0, w1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
	)
	for range 10 {
		h0, l0 := bits.Mul64(m0, c[0])
		h1, l1 := bits.Mul64(m1, c[2])
		c = [4]uint64{h1 ^ c[1] ^ k0, l1, h0 ^ c[3] ^ k1, l0}
		k0 += w0
		k1 += w1
	}
	return c
}

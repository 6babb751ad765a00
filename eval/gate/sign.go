package gate

import "math/big"

// Alpha is the level at which a difference counts as more than noise.
var alpha = big.NewRat(5, 100)

// SignTest is the exact two-sided sign test (Dixon and Mood 1946; on two binary outcomes it is McNemar's exact
// test): the probability of a split at least as uneven as better against worse where both are equally likely.
// Tasks without a difference are left out. It is 1 where no task differs.
//
// It only sees signs: a hundred tiny losses count more than ten large gains.
func SignTest(better, worse int) *big.Rat {
	n, few := int64(better+worse), int64(min(better, worse))
	sum, term := new(big.Int), big.NewInt(1)
	for k := int64(0); k <= few; k++ {
		sum.Add(sum, term)
		term.Mul(term, big.NewInt(n-k))
		term.Quo(term, big.NewInt(k+1))
	}
	all := new(big.Int).Lsh(big.NewInt(1), uint(n))
	p := new(big.Rat).SetFrac(sum.Lsh(sum, 1), all)
	if one := big.NewRat(1, 1); p.Cmp(one) > 0 {
		return one
	}
	return p
}

// probabilityText prints p to three decimals; small ones as a bound or in powers of ten, never as 0.
func probabilityText(p *big.Rat) string {
	if p.Cmp(big.NewRat(1, 1000)) >= 0 {
		return p.FloatString(3)
	}
	return new(big.Float).SetRat(p).Text('g', 2)
}

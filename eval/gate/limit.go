package gate

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
)

// LimitError is a threshold that cannot be used. The command line is wrong (exit 2), and nothing has run.
type LimitError struct {
	// Flag is the option it was given by.
	Flag string
	// Have is its text.
	Have string
	// Want says what would do.
	Want string
}

// Error names the option, what it holds and what it wants.
func (e *LimitError) Error() string {
	return fmt.Sprintf("--%s: have %q, want %s", e.Flag, e.Have, e.Want)
}

// maxLimitDigits bounds the text of a threshold.
const maxLimitDigits = 32

// ParseLimit reads the threshold of a kind of measure: a decimal such as 0.02, or 2%. NaN, infinities, negative
// numbers, exponents and the empty text are refused, for every comparison with NaN is false and would let
// anything pass; so is 1 or more for a rate, since no rate can fall by that much.
func ParseLimit(flag, text string, kind Kind) (*big.Rat, error) {
	want := map[Kind]string{
		Rate:   "a decimal of at least 0 and below 1, such as 0.02 or 2%",
		Amount: "a share of the baseline of at least 0, such as 0.02 or 2%",
		Count:  "a whole number of at least 0",
	}[kind]
	digits, percent := strings.CutSuffix(text, "%")
	value, ok := decimal(digits)
	bad := !ok || len(text) > maxLimitDigits || value.Sign() < 0 || strings.HasPrefix(text, "-")
	if bad || (kind == Count && (percent || !value.IsInt())) {
		return nil, &LimitError{Flag: flag, Have: text, Want: want}
	}
	if percent {
		value.Quo(value, big.NewRat(100, 1))
	}
	if kind == Rate && value.Cmp(big.NewRat(1, 1)) >= 0 {
		return nil, &LimitError{Flag: flag, Have: text, Want: want}
	}
	return value, nil
}

// Limits are how far a figure of each kind may worsen; exactly that far still passes. A nil one is the default.
type Limits struct {
	// Rate is a difference.
	Rate *big.Rat
	// Amount is a share of the baseline.
	Amount *big.Rat
	// Count is a number of tasks.
	Count *big.Rat
}

// DefaultLimits are 0.02 for rates, 2% for amounts and no more errors.
func DefaultLimits() Limits {
	return Limits{Rate: big.NewRat(2, 100), Amount: big.NewRat(2, 100), Count: new(big.Rat)}
}

// of is the limit of a kind.
func (l Limits) of(kind Kind) *big.Rat {
	standard := DefaultLimits()
	switch kind {
	case Rate:
		return cmp.Or(l.Rate, standard.Rate)
	case Amount:
		return cmp.Or(l.Amount, standard.Amount)
	default:
		return cmp.Or(l.Count, standard.Count)
	}
}

// MinPairs is the least number of tasks a gate decides on: with fewer, one task moves a rate by more than any
// limit worth having, and no sign test can show a loss of less than all of them.
const MinPairs = 10

// Options say how a comparison is decided.
type Options struct {
	// Limits are how far figures may worsen.
	Limits Limits
	// Significant makes a loss count only where it is past its limit and more than noise: the exact two-sided
	// sign test over tasks has p of at most 0.05. It misses small true losses more often; docs/validity.md has
	// by how much.
	Significant bool
	// SameTool makes a tool whose revision differs from its baseline's impossible to compare. It is off by default,
	// because a new revision of the tool is what a gate is usually there to judge.
	SameTool bool
}

// DefaultOptions are the default limits and nothing else.
func DefaultOptions() Options { return Options{Limits: DefaultLimits()} }

package gate

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestFigureJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`[16,20]`, `[16,20]`},
		{`[0,0]`, `null`},
		{`null`, `null`},
		{`0.120`, `[3,25]`},
		{`1376`, `[1376,1]`},
		{`[123456789012345678901234567890,123456789012345678901234567891]`, `[123456789012345678901234567890,123456789012345678901234567891]`},
	} {
		var f Figure
		if err := json.Unmarshal([]byte(c.in), &f); err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if have, err := json.Marshal(f); err != nil || string(have) != c.want {
			t.Errorf("%s: have %s, %v, want %s", c.in, have, err, c.want)
		}
	}
	for _, in := range []string{`"0.1"`, `[1]`, `[1,2,3]`, `[1,-2]`, `[1,0]`, `[1.5,2]`, `["1",2]`, `1e9`, `true`, `{}`, `NaN`} {
		var f Figure
		if err := json.Unmarshal([]byte(in), &f); err == nil {
			t.Errorf("%s: have %v, want an error", in, f)
		}
	}
}

// The simplest fractions are by hand; that of the double next to pi is the known convergent-like 245850922/78256779.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0/1"}, {1, "1/1"}, {0.5, "1/2"}, {1.0 / 3, "1/3"}, {0.1, "1/10"}, {0.3, "3/10"}, {-0.2, "-1/5"},
		{2.0 / 7, "2/7"}, {17.0 / 23, "17/23"}, {1376.25, "5505/4"}, {math.Pi, "245850922/78256779"},
		{1e-9, "1/1000000000"}, {123456789, "123456789/1"},
	} {
		f := Nearest(c.v)
		value, ok := f.Value()
		if !ok || value.String() != c.want {
			t.Errorf("%v: have %v, want %s", c.v, value, c.want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if !Nearest(v).Missing() {
			t.Errorf("%v: have a figure, want none", v)
		}
	}
}

func FuzzNearest(f *testing.F) {
	for _, v := range []float64{0.1, 1.0 / 3, math.Pi, 5e-324, math.MaxFloat64, -2.5} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		value, ok := Nearest(v).Value()
		if !ok {
			return
		}
		if have, _ := value.Float64(); have != v {
			t.Errorf("%v: have %v, want a fraction that rounds to it", v, value)
		}
		if exact := new(big.Rat).SetFloat64(v); value.Denom().Cmp(exact.Denom()) > 0 {
			t.Errorf("%v: have %v, want no larger denominator than %v", v, value, exact)
		}
	})
}

func TestMean(t *testing.T) {
	for _, c := range []struct {
		name    string
		figures []Figure
		want    string
	}{
		{"of thirds and halves", []Figure{Fraction(1, 3), Fraction(1, 2), Fraction(0, 4)}, "5/18"},
		{"of doubles", []Figure{Nearest(0.1), Nearest(0.2), Nearest(0.3)}, "1/5"},
	} {
		if value, ok := Mean(c.figures).Value(); !ok || value.String() != c.want {
			t.Errorf("%s: have %v, want %s", c.name, value, c.want)
		}
	}
	if !Mean(nil).Missing() || !Mean([]Figure{Fraction(1, 2), {}}).Missing() {
		t.Error("have a mean of nothing or of a missing value, want none")
	}
}

func TestParseLimit(t *testing.T) {
	for _, c := range []struct {
		text string
		kind Kind
		want string
	}{
		{"0.02", Rate, "1/50"}, {"2%", Rate, "1/50"}, {"0", Rate, "0/1"}, {"0.999", Rate, "999/1000"},
		{"2%", Amount, "1/50"}, {"1.5", Amount, "3/2"}, {"0", Count, "0/1"}, {"3", Count, "3/1"},
	} {
		have, err := ParseLimit("limit", c.text, c.kind)
		if err != nil || have.String() != c.want {
			t.Errorf("%s %q: have %v, %v, want %s", c.kind, c.text, have, err, c.want)
		}
	}
	for _, kind := range []Kind{Rate, Amount, Count} {
		for _, text := range []string{"", " ", "nan", "NaN", "inf", "-inf", "Infinity", "-1", "-0", "1e9", "1e-2", "0x1", "1/3", "1_0", ".5", "5.", "+1", "%", "0.02 "} {
			have, err := ParseLimit("limit", text, kind)
			var refused *LimitError
			if !errors.As(err, &refused) {
				t.Errorf("%s %q: have %v, %v, want a refusal", kind, text, have, err)
			}
		}
	}
	for _, c := range []struct {
		text string
		kind Kind
	}{{"1", Rate}, {"1.0", Rate}, {"100%", Rate}, {"2", Rate}, {"0.5", Count}, {"2%", Count}} {
		if have, err := ParseLimit("limit", c.text, c.kind); err == nil {
			t.Errorf("%s %q: have %v, want a refusal", c.kind, c.text, have)
		}
	}
}

// The p values are by hand: 2/2^n for none against n, 2*(1+n)/2^n for one against n-1.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		better, worse int
		want          *big.Rat
	}{
		{0, 0, big.NewRat(1, 1)}, {1, 0, big.NewRat(1, 1)}, {0, 5, big.NewRat(2, 32)}, {0, 6, big.NewRat(2, 64)},
		{1, 9, big.NewRat(22, 1024)}, {5, 5, big.NewRat(1, 1)}, {9, 1, big.NewRat(22, 1024)},
		{3, 9, big.NewRat(598, 4096)}, // 0.1459961
	} {
		if have := SignTest(c.better, c.worse); have.Cmp(c.want) != 0 {
			t.Errorf("%d better, %d worse: have %v, want %v", c.better, c.worse, have, c.want)
		}
	}
	if p := SignTest(0, 5000); p.Sign() <= 0 || probabilityNumber(p) == "0" {
		t.Errorf("have p %s, want it above 0", probabilityNumber(p))
	}
}

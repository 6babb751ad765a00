package tables

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestExact(t *testing.T) {
	for _, c := range []struct {
		n    Number
		want string
	}{
		{Number{}, ""},
		{Int(0), "0"},
		{Int(-42), "-42"},
		{Int(math.MinInt64), "-9223372036854775808"},
		{Float(0), "0"},
		{Float(math.Copysign(0, -1)), "0"},
		{Float(0.1), "0.1"},
		{Float(100), "100"},
		{Float(1e21), "1000000000000000000000"},
		{Float(7.0 / 17), "0.4117647058823529"},
		{Float(5e-324), "5e-324"},
		{Float(-1.5e-9), "-1.5e-9"},
		{Float(1.7976931348623157e308), "1.7976931348623157e308"},
		{Decimal(big.NewInt(1250), 2), "12.50"},
		{Decimal(big.NewInt(-5), 3), "-0.005"},
		{Decimal(big.NewInt(0), 2), "0.00"},
	} {
		if got := c.n.Exact(); got != c.want {
			t.Errorf("Exact: have %q, want %q", got, c.want)
		}
	}
}

// The expected values follow from IEEE 754-2019, 4.3.1, roundTiesToEven, applied
// to the decimal as written.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		n        Number
		decimals int
		want     string
	}{
		{Float(7.0 / 17), 3, "0.412"},
		{Float(0.0625), 3, "0.062"},
		{Float(0.1875), 3, "0.188"},
		{Float(2.675), 2, "2.68"}, // the float64 is 2.67499…; the decimal that is published is not
		{Float(1.0 / 2000), 3, "0.000"},
		{Float(3.0 / 2000), 3, "0.002"},
		{Float(0.9996), 3, "1.000"},
		{Float(9.5), 0, "10"},
		{Float(8.5), 0, "8"},
		{Float(0.5), 0, "0"},
		{Float(0.51), 0, "1"},
		{Float(0.05), 0, "0"},
		{Float(-0.0004), 3, "0.000"},
		{Float(-0.0006), 3, "-0.001"},
		{Float(1e-300), 3, "0.000"},
		{Int(7), 3, "7.000"},
		{Int(0), 2, "0.00"},
		{Decimal(big.NewInt(1234565), 4), 2, "123.46"},
		{Decimal(big.NewInt(12345), 2), 1, "123.4"}, // 123.45
		{Float(1e22), 1, "10000000000000000000000.0"},
	} {
		if got := c.n.round(c.decimals).Exact(); got != c.want {
			t.Errorf("%s to %d: have %s, want %s", c.n.Exact(), c.decimals, got, c.want)
		}
	}
}

// Away from the middle, strconv rounds the exact binary value to the same digits.
func TestRoundAgreesWithStrconv(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		f := (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(12)-4))
		d := r.IntN(6)
		want := strconv.FormatFloat(f, 'f', d, 64)
		if v, _ := strconv.ParseFloat(want, 64); v == 0 {
			want = strconv.FormatFloat(0, 'f', d, 64)
		}
		if got := Float(f).round(d).Exact(); got != want {
			t.Fatalf("%v to %d: have %s, want %s", f, d, got, want)
		}
	}
}

func FuzzFloat(f *testing.F) {
	f.Add(0.1, 3)
	f.Add(-1e300, 0)
	f.Fuzz(func(t *testing.T, x float64, d int) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		n := Float(x)
		if back, err := strconv.ParseFloat(n.Exact(), 64); err != nil || back != x {
			t.Fatalf("%v reads back as %v, %v from %q", x, back, err, n.Exact())
		}
		d = ((d % 20) + 20) % 20
		once := n.round(d)
		if twice := once.round(d); twice != once {
			t.Fatalf("%s to %d: %s, then %s", n.Exact(), d, once.Exact(), twice.Exact())
		}
	})
}

// TestZeroOfManyDecimals: an amount of money of nothing has its decimals and no exponent.
func TestZeroOfManyDecimals(t *testing.T) {
	if have := Decimal(big.NewInt(0), 9).Exact(); have != "0.000000000" {
		t.Errorf("have %s, want 0.000000000", have)
	}
}

package schema

import (
	"math"
	"testing"
)

func TestValueHoldsWhatWasPut(t *testing.T) {
	if n, ok := Integer(-3).Integer(); !ok || n != -3 {
		t.Errorf("have %d, %t", n, ok)
	}
	if f, ok := Double(0.1).Double(); !ok || f != 0.1 {
		t.Errorf("have %v, %t", f, ok)
	}
	if u, ok := Amount(7).Amount(); !ok || u != 7 {
		t.Errorf("have %v, %t", u, ok)
	}
	if s, ok := Text("").Text(); !ok || s != "" {
		t.Errorf("an empty word is missing")
	}
	if v := Missing(&MissingNoGold); v.Has() || v.Why() != &MissingNoGold || v.Type() != "" {
		t.Errorf("have %+v", v)
	}
	if _, ok := Integer(0).Double(); ok {
		t.Error("an integer is read as a double")
	}
	if (Value{}).Has() || !Integer(0).Has() {
		t.Error("absent is not zero")
	}
}

func TestNoDoubleIsNaN(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Double(%v) does not panic", f)
				}
			}()
			Double(f)
		}()
	}
}

func TestValueIndex(t *testing.T) {
	for _, level := range []Level{LevelRun, LevelQuery} {
		for i, c := range ValueColumns(level) {
			if c.Companion == nil && ValueIndex(c.Metric) != i {
				t.Errorf("%s %s: have %d, want %d", level, c.Name, ValueIndex(c.Metric), i)
			}
		}
	}
}

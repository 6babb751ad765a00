package schema

import (
	"math/rand/v2"
	"testing"
	"time"
)

// The standard library is the judge of the fast path.
func checkUTC(t *testing.T, s string) {
	t.Helper()
	have, ok := parseUTC(s)
	if !ok {
		return
	}
	want, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || have != TimeOf(want) {
		t.Errorf("%s: have %d, want %d, %v", s, have, TimeOf(want), err)
	}
}

func TestParseUTC(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := time.Unix(r.Int64N(253402300800+62135596800)-62135596800, r.Int64N(1e9)).UTC()
		s := at.Format(time.RFC3339Nano)
		if _, ok := parseUTC(s); !ok {
			t.Errorf("%s is left to the slow path", s)
		}
		checkUTC(t, s)
	}
	for _, s := range []string{"2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
		"2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00.1234567891Z", "2026-01-01T00:00:00,5Z", "0000-01-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-1-01T00:00:000Z"} {
		checkUTC(t, s)
	}
}

func FuzzParseUTC(f *testing.F) {
	f.Add("2026-01-02T03:04:05.678Z")
	f.Fuzz(checkUTC)
}

// RFC 3339, section 5.6: time-numoffset = ("+" / "-") time-hour ":" time-minute,
// time-hour = 00-23, time-minute = 00-59.
func TestParseTimeOffsets(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-01-02T03:04:05+00:00": true, "2026-01-02T03:04:05-00:00": true, "2026-01-02T03:04:05.5+23:59": true,
		"2026-01-02T03:04:05+24:00": false, "2026-01-02T03:04:05+09:60": false, "2026-01-02T03:04:05.5-24:00": false,
		"2026-01-02T03:04:05+9:00": false, "2026-01-02T03:04:05+0900": false, "2026-01-02T03:04:05": false,
	} {
		if _, err := ParseTime(s); (err == nil) != want {
			t.Errorf("%s: have %v, want it taken: %v", s, err, want)
		}
	}
}

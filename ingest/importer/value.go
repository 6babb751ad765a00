package importer

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// A number is a JSON value where the format says number. What is none is missing
// and reported, so that one odd field does not cost a run.
type number struct {
	text string
	odd  bool
}

// UnmarshalJSONFrom keeps the text of a number.
func (n *number) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	*n = number{}
	switch v.Kind() {
	case '0':
		n.text = string(v)
	case 'n':
	default:
		n.odd = true
	}
	return nil
}

// integer is the number where it is a whole one that is not negative.
func (n number) integer() schema.Opt[int64] {
	text := n.text
	if whole, zeros, ok := strings.Cut(text, "."); ok && strings.Trim(zeros, "0") == "" {
		text = whole
	}
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil || i < 0 {
		return schema.None[int64]()
	}
	return schema.Some(i)
}

// float is the number where a double can hold it.
func (n number) float() schema.Opt[float64] {
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return schema.None[float64]()
	}
	return schema.Some(f)
}

// usd is the number as an amount of money that is not negative.
func (n number) usd() schema.Opt[schema.USD] {
	if n.text == "" {
		return schema.None[schema.USD]()
	}
	u, err := schema.ParseUSD(n.text)
	if err != nil || u < 0 {
		return schema.None[schema.USD]()
	}
	return schema.Some(u)
}

// An instant is a time of a source. Without a zone it orders events and measures
// durations within one file, but is no time of the contract.
type instant struct {
	at    time.Time
	zoned bool
}

// parseInstant reads an ISO 8601 time, with or without a zone.
func parseInstant(s schema.Opt[string]) schema.Opt[instant] {
	text, ok := s.Get()
	if !ok {
		return schema.None[instant]()
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return schema.Some(instant{t, true})
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return schema.Some(instant{t, false})
		}
	}
	return schema.None[instant]()
}

// timeOf is the contract's time of an instant that has a zone.
func timeOf(o schema.Opt[instant]) schema.Opt[schema.Time] {
	if t, ok := o.Get(); ok && t.zoned {
		return schema.Some(schema.TimeOf(t.at))
	}
	return schema.None[schema.Time]()
}

// An interval is a part of a run with its start and end.
type interval struct {
	StartedAt  schema.Opt[string] `json:"started_at"`
	FinishedAt schema.Opt[string] `json:"finished_at"`
}

// duration is the length of the interval; missing where either end is, where only
// one end has a zone, and where the end stands before the start.
func (i *interval) duration() schema.Opt[time.Duration] {
	if i == nil {
		return schema.None[time.Duration]()
	}
	from, ok := parseInstant(i.StartedAt).Get()
	to, ok2 := parseInstant(i.FinishedAt).Get()
	if !ok || !ok2 || from.zoned != to.zoned || to.at.Before(from.at) {
		return schema.None[time.Duration]()
	}
	return schema.Some(to.at.Sub(from.at))
}

// milliseconds adds durations and rounds the sum to whole milliseconds. It is
// missing where one of them is.
func milliseconds(list ...schema.Opt[time.Duration]) schema.Opt[int64] {
	var sum time.Duration
	for _, o := range list {
		d, ok := o.Get()
		if !ok {
			return schema.None[int64]()
		}
		sum += d
	}
	return schema.Some(sum.Round(time.Millisecond).Milliseconds())
}

// present returns the string where it is there and not empty.
func present(o schema.Opt[string]) schema.Opt[string] {
	if o.Or("") == "" {
		return schema.None[string]()
	}
	return o
}

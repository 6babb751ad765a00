package gate

import (
	"io"
	"math/big"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The report in JSON: figures as [numerator, denominator], what was not measured as null, and every changed task.
type jsonReport struct {
	Verdict     Verdict          `json:"verdict"`
	ExitCode    int              `json:"exit_code"`
	Title       string           `json:"title"`
	Comparisons []jsonComparison `json:"comparisons"`
	Undecided   []string         `json:"undecided"`
	Notes       []string         `json:"notes"`
}

type jsonComparison struct {
	Tool     *string        `json:"tool"`
	Measure  string         `json:"measure"`
	Baseline Figure         `json:"baseline"`
	Current  Figure         `json:"current"`
	WorseBy  Figure         `json:"worse_by"`
	Limit    Figure         `json:"limit"`
	Lost     *[]string      `json:"lost"`
	Won      *[]string      `json:"won"`
	P        jsontext.Value `json:"p"`
	Verdict  Verdict        `json:"verdict"`
	Reason   string         `json:"reason"`
}

// JSON writes the report as one JSON object.
func (r Report) JSON(w io.Writer) error {
	out := jsonReport{
		Verdict: r.Verdict, ExitCode: r.Verdict.ExitCode(), Title: r.Title, Undecided: r.Undecided, Notes: r.Notes,
	}
	for _, c := range r.Comparisons {
		item := jsonComparison{
			Measure: c.Measure.Name, Baseline: c.Baseline, Current: c.Current, WorseBy: c.Worse, Limit: Exact(c.Limit),
			P: jsontext.Value("null"), Verdict: c.Verdict, Reason: c.Reason,
		}
		if c.Tool != "" {
			item.Tool = &c.Tool
		}
		if c.Paired {
			item.Lost, item.Won = &c.Lost, &c.Won
		}
		if c.P != nil {
			item.P = jsontext.Value(probabilityNumber(c.P))
		}
		out.Comparisons = append(out.Comparisons, item)
	}
	data, err := json.Marshal(out, json.FormatNilSliceAsNull(false), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(brokenPair.ReplaceAll(data, []byte("[$1, $2]")), '\n'))
	return err
}

// probabilityNumber is p as a JSON number of six digits. It is written from the exact fraction, so a p below
// the range of doubles is still not 0.
func probabilityNumber(p *big.Rat) string {
	return new(big.Float).SetRat(p).Text('g', 6)
}

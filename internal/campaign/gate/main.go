// Command gate measures by simulation how often the gate raises a false alarm and how often it misses a true
// loss, and prints the tables of docs/validity.md.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	draws := flag.Int("draws", 10_000, "draws a design")
	seed := flag.Uint64("seed", 1, "seed of the first design; the others follow it")
	flag.Parse()
	if err := printTables(os.Stdout, *draws, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// printTables writes one Markdown table for each way of deciding.
func printTables(w io.Writer, draws int, seed uint64) error {
	tables := []struct {
		title string
		rate  func(Rates) float64
	}{
		{"Default limits", func(r Rates) float64 { return r.Default }},
		{"With `--significant`", func(r Rates) float64 { return r.Significant }},
	}
	rates := map[Design]Rates{}
	for _, d := range designs() {
		rates[d] = simulate(d, draws, seed)
		seed++
	}
	var out strings.Builder
	for _, table := range tables {
		fmt.Fprintf(&out, "%s:\n\n| tasks | discordance | false alarms | misses of 2 points | misses of 5 points | misses of 10 points |\n|--:|--:|--:|--:|--:|--:|\n", table.title)
		for _, tasks := range taskCounts {
			for _, discordance := range discordances {
				fmt.Fprintf(&out, "| %d | %.0f%% |", tasks, 100*discordance)
				for _, loss := range losses {
					wrong := table.rate(rates[Design{tasks, discordance, loss}])
					if loss > 0 {
						wrong = 1 - wrong
					}
					fmt.Fprintf(&out, " %.1f%% |", 100*wrong)
				}
				out.WriteByte('\n')
			}
		}
		out.WriteByte('\n')
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// designs is the grid in a fixed order, so that each has its own seed.
func designs() []Design {
	var all []Design
	for _, tasks := range taskCounts {
		for _, discordance := range discordances {
			for _, loss := range losses {
				all = append(all, Design{tasks, discordance, loss})
			}
		}
	}
	return all
}

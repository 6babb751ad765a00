package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A contender is one command that is measured.
type contender struct {
	name  string
	args  []string
	clean string // removed before each run
	wall  []float64
	cpu   []float64
	peak  []float64 // MB of the largest process
}

func (c *contender) run(counted bool) error {
	if c.clean != "" {
		if err := os.RemoveAll(c.clean); err != nil {
			return err
		}
	}
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	wall := time.Since(start).Seconds()
	if !counted {
		return nil
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c.wall = append(c.wall, wall)
	c.cpu = append(c.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	c.peak = append(c.peak, float64(usage.Maxrss)/1024)
	return nil
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// A target is a ratio of wall medians, or a peak, that the program must keep.
type target struct {
	name  string
	value float64
	most  float64
	least bool // the value must be at least, not at most
}

func report(list []*contender) {
	fmt.Println("| command | wall s (min-max) | CPU s | peak MB |")
	fmt.Println("|---|--:|--:|--:|")
	for _, c := range list {
		fmt.Printf("| %s | %.2f (%.2f-%.2f) | %.2f | %.0f |\n", c.name, median(c.wall), slices.Min(c.wall), slices.Max(c.wall), median(c.cpu), median(c.peak))
	}
	two, one, duck, cat, sha := median(list[0].wall), median(list[1].wall), median(list[2].wall), median(list[3].wall), median(list[4].wall)
	fmt.Println("\n| ratio | measured | must |")
	fmt.Println("|---|--:|--:|")
	for _, t := range []target{
		{"derive / DuckDB", two / duck, 0.50, false},
		{"derive / cat", two / cat, 3.0, false},
		{"derive / sha256sum", two / sha, 0.55, false},
		{"1 worker / 2 workers", one / two, 1.5, true},
		{"peak MB of derive", median(list[0].peak), 256, false},
	} {
		bound := "at most"
		if t.least {
			bound = "at least"
		}
		fmt.Printf("| %s | %.2f | %s %.2f |\n", t.name, t.value, bound, t.most)
	}
}

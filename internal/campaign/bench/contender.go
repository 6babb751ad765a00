package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// A contender is one command that is measured.
type contender struct {
	name  string
	args  []string
	env   []string // beside that of this process
	clean string   // removed before each run
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
	cmd.Env = append(os.Environ(), c.env...)
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

// runAll runs commands in turn, so that a slow minute of the machine falls on all;
// the first round is a warm-up.
func runAll(list []*contender, rounds int) error {
	for round := range rounds + 1 {
		for _, c := range list {
			if err := c.run(round > 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

func printContenders(list []*contender) {
	fmt.Println("| command | wall s (min-max) | CPU s | peak MB |")
	fmt.Println("|---|--:|--:|--:|")
	for _, c := range list {
		fmt.Printf("| %s | %.2f (%.2f-%.2f) | %.2f | %.0f |\n", c.name, median(c.wall), slices.Min(c.wall), slices.Max(c.wall), median(c.cpu), median(c.peak))
	}
	fmt.Println()
}

// A target is a figure that the program must keep.
type target struct {
	name  string
	value float64
	bound float64
	least bool // the value must be at least the bound, not at most
	free  bool // printed for comparison, without a bound
}

func printTargets(list []target) {
	fmt.Println("| figure | measured | must be |")
	fmt.Println("|---|--:|--:|")
	for _, t := range list {
		must := fmt.Sprintf("at most %g", t.bound)
		if t.least {
			must = fmt.Sprintf("at least %g", t.bound)
		}
		if t.free {
			must = ""
		}
		fmt.Printf("| %s | %.4g | %s |\n", t.name, t.value, must)
	}
	fmt.Println()
}

// processor says what a section ran on.
func processor() string {
	return fmt.Sprintf("%d processors, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

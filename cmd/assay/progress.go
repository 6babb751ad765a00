package main

import (
	"fmt"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// A progress shows how far a command is: a bar on a terminal, elsewhere a plain
// line now and then, nothing with --quiet.
type progress struct {
	app   *app
	pool  *mpb.Progress
	bar   *mpb.Bar
	stage string
	last  time.Time
}

// plainInterval is the time between two lines of progress off a terminal.
const plainInterval = 10 * time.Second

func (a *app) newProgress() *progress {
	p := &progress{app: a, last: time.Now()}
	if !a.quiet && a.terminal() {
		p.pool = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(40), mpb.WithRefreshRate(150*time.Millisecond))
	}
	return p
}

// at reports that done of total are through in a stage.
func (p *progress) at(stage string, done, total int64) {
	switch {
	case p.app.quiet:
	case p.pool != nil:
		p.draw(stage, done, total)
	case time.Since(p.last) >= plainInterval:
		p.last = time.Now()
		p.app.say("%s: %d of %d", stage, done, total)
	}
}

func (p *progress) draw(stage string, done, total int64) {
	if p.bar == nil || p.stage != stage {
		p.endBar()
		p.stage = stage
		style := mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]")
		if os.Getenv("NO_COLOR") != "" {
			style = style.Filler("#").Tip("#")
		}
		p.bar = p.pool.New(total, style, mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(stage+" ")),
			mpb.AppendDecorators(decor.CountersNoUnit("%d / %d"), decor.Name("  "), decor.AverageETA(decor.ET_STYLE_GO)))
	}
	p.bar.SetTotal(total, false)
	p.bar.SetCurrent(done)
}

func (p *progress) endBar() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.bar = nil
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.pool != nil {
		p.endBar()
		p.pool.Wait()
	}
}

// bytesText prints a size for a person.
func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

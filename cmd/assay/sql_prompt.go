package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/assay-bench/assay/stats/duck"
)

// A console is a terminal that is read and written.
type console struct {
	io.Reader
	io.Writer
}

// promptTerminal reads statements from a person: each ends with a semicolon, the
// arrow keys bring earlier ones back, an error ends none but its own statement.
func (a *app) promptTerminal(ctx context.Context, db *duck.DB, o sqlOptions, in *os.File) error {
	state, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer term.Restore(int(in.Fd()), state)
	t := term.NewTerminal(console{in, a.out}, "assay> ")
	if w, h, err := term.GetSize(int(in.Fd())); err == nil {
		_ = t.SetSize(w, h) // a wrong size only wraps lines elsewhere
	}
	fmt.Fprintln(t, "SQL over the dataset; a statement ends with ';'. FROM assay_functions() lists the statistics. Ctrl-D ends.")
	var statement strings.Builder
	for {
		line, err := t.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		statement.WriteString(line + "\n")
		text := strings.TrimSpace(statement.String())
		if text == "" || text == ";" {
			statement.Reset()
			continue
		}
		if !strings.HasSuffix(text, ";") {
			t.SetPrompt("  ...> ")
			continue
		}
		statement.Reset()
		t.SetPrompt("assay> ")
		if err := a.writeResults(ctx, db, duck.Statements(text), o.format, t); err != nil {
			fmt.Fprintln(t, "assay: "+err.Error())
		}
	}
}

// Command gendoc writes the pages under docs/ that are computed from the lists of
// the program. Its test fails when a page differs from its list.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := "docs"
	for _, p := range Pages() {
		path := filepath.Join(dir, p.Name)
		if err := os.WriteFile(path, p.Text, 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "gendoc: "+err.Error())
			os.Exit(1)
		}
		fmt.Println(path)
	}
}

package tables

import (
	"embed"
	"fmt"
	"io/fs"
)

// The shipped tables: a query and a specification each, which a user can read,
// copy and change.
//
//go:embed paper/*.sql paper/*.json
var paper embed.FS

// shippedNames lists the paper tables in order. Adding one is its three files and
// a line here.
var shippedNames = []string{
	"1_tasks",
	"2_factorial",
	"3_ablations",
	"4_end_to_end",
	"5_strata",
	"6_index",
	"7_failures",
}

// Shipped returns the specifications of the paper tables.
func Shipped() []Spec {
	folder, err := fs.Sub(paper, "paper")
	if err != nil {
		panic("tables: " + err.Error())
	}
	var specs []Spec
	for _, name := range shippedNames {
		s, err := readSpec(folder, name)
		if err != nil {
			panic("tables: paper/" + name + ": " + err.Error())
		}
		specs = append(specs, s)
	}
	return specs
}

// ShippedByNumber finds a paper table.
func ShippedByNumber(number int) (Spec, error) {
	specs := Shipped()
	for _, s := range specs {
		if s.Number == number {
			return s, nil
		}
	}
	return Spec{}, fmt.Errorf("have table %d, want 1 to %d", number, specs[len(specs)-1].Number)
}

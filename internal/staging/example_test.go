package staging_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/internal/staging"
)

// A result is made under a name of its own and takes its place with one rename.
func Example() {
	out, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(out)
	staging.Sweep(out, ".making-") // what a killed process left
	claim, err := staging.New(out, ".making-")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(os.Mkdir(claim.Folder, 0o755))
	fmt.Println(os.Rename(claim.Folder, filepath.Join(out, "result")))
	fmt.Println(claim.Release())
	list, err := os.ReadDir(out)
	fmt.Println(len(list), list[0].Name(), err)
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// 1 result <nil>
}

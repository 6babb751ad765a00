package capture_test

import (
	"fmt"

	"github.com/assay-bench/assay/eval/capture"
)

func ExampleRedact() {
	fmt.Println(capture.Redact("password=hunter2 fails for me@example.com"))
	// Output: password=[secret] fails for [email]
}

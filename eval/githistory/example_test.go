package githistory_test

import (
	"fmt"

	"github.com/assay-bench/assay/eval/githistory"
)

func ExampleKeywords() {
	fmt.Println(githistory.Keywords("fix(compose): keep HugeGraph auth on restart"))
	// Output: [compose keep HugeGraph auth restart]
}

func ExampleQueryForm_Text() {
	task := githistory.Task{Subject: "Report a full disk", Body: "Writing a block hid the error."}
	fmt.Println(githistory.SubjectBody.Text(task))
	fmt.Println(githistory.KeywordList.Text(task))
	// Output:
	// Report a full disk
	// Writing a block hid the error.
	// Report full disk
}

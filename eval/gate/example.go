package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// examples are ready workflows by the name of the service that runs them.
var examples = map[string]string{"github": github}

// Example is the text of a workflow for a service; ok is in the error, which lists the known ones.
func Example(service string) (string, error) {
	text, ok := examples[service]
	if !ok {
		return "", fmt.Errorf("example: have %q, want %s", service, strings.Join(slices.Sorted(maps.Keys(examples)), " or "))
	}
	return text, nil
}

const github = `# Fails a pull request that makes retrieval worse than the committed baseline.
#
# Write the baseline once, on the branch you measure against, and commit it with the reason:
#   assay eval git . --base <commit> --head <commit> --write-baseline eval-baseline.json
#
# Exit codes: 0 pass, 1 could not run, 3 regressed, 4 cannot decide. Each but 0 fails the job.
name: retrieval gate
on: pull_request
permissions:
  contents: read
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the baseline's commits must be there: a shallow clone cannot be scored
      - uses: actions/setup-go@v5
        with:
          go-version: stable
      - run: go install github.com/assay-bench/assay/cmd/assay@latest
      - name: Evaluate and compare
        run: |
          assay eval git . \
            --baseline eval-baseline.json \
            --write-baseline eval-current.json --exit-zero
          assay gate \
            --baseline eval-baseline.json --current eval-current.json \
            --junit gate.xml --markdown "$GITHUB_STEP_SUMMARY"
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: retrieval-gate
          path: |
            gate.xml
            eval-current.json
`

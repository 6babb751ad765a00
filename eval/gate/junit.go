package gate

import (
	"encoding/xml"
	"io"
	"strings"
)

// The JUnit elements that test viewers agree on. What could not be decided is an error, never skipped: viewers
// show skipped as green.
type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
}

// JUnit writes the report as JUnit XML: a test a comparison, and one for each thing that kept the gate from
// deciding. It holds no time, so the same figures give the same bytes.
func (r Report) JUnit(w io.Writer) error {
	suite := junitSuite{Name: "assay gate"}
	named := map[string]bool{}
	for _, c := range r.Comparisons {
		test := junitCase{Class: strings.TrimSuffix("gate."+c.Tool, "."), Name: c.Measure.Name}
		switch c.Verdict {
		case Regressed:
			test.Failure = &junitProblem{c.Reason}
		case CannotDecide, Failed:
			test.Error = &junitProblem{c.Reason}
			named[c.Reason] = true
		}
		suite.add(test)
	}
	for _, text := range r.Undecided {
		if !named[text] {
			suite.add(junitCase{Class: "gate", Name: string(r.Verdict), Error: &junitProblem{text}})
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add counts and appends a test.
func (s *junitSuite) add(test junitCase) {
	s.Tests++
	if test.Failure != nil {
		s.Failures++
	}
	if test.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, test)
}

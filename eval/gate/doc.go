// Package gate says whether a retrieval tool, or any measured system, has become worse than its baseline.
//
// It has four verdicts, and only one of them is green: Pass. Regressed needs figures on both sides that were
// measured on the same tasks; wherever those are missing the verdict is CannotDecide, because a gate that
// passes on nothing is worse than none. Failed is for an evaluation that could not be run at all.
//
// Everything here is a pure function of its arguments. Figures are exact fractions, so a fall of 0.02 under a
// limit of 0.02 passes on every machine.
package gate

// Package capture keeps, for each coding session that changed files, one question with its known answer: the first
// prompt as it was asked, the commit it began at, the files it changed. `assay eval git --sessions` scores tools on
// them.
//
// Nothing happens unless ASSAY_EVAL_CAPTURE=true. Nothing is sent and nothing is committed: the cases stand in the
// checkout's git directory, redacted before they reach the disk. A hook never fails and never waits: every event is
// one line appended to the session's own journal, and journals are folded into the file of cases by whoever gets its
// lock at once. What is not folded now is folded later, so concurrent sessions lose nothing.
package capture

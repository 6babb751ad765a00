package main

// codeRevision is the revision of the analysis code that this program was built from.
func codeRevision() string { return "unknown" }

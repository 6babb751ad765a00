// Package simulate makes factorial studies whose truth is known: run directories
// with planted effects, planted nulls and planted faults, and the truth beside
// them. What it makes is simulated, and says so in every manifest; it tests the
// instruments, never a tool or a model.
//
// The model is additive on the scale of the tables. The probability of an outcome
// in an arm and a stratum is
//
//	m = base + the sizes of all effects whose levels the run has
//
// and a task in a repository, with an ease x between -1 and 1 of mean 0, has
//
//	p = m + spread * min(m, 1-m) * x
//
// so that p is a probability for every m, and its mean over tasks is m exactly:
// differences of level means and differences of differences are the planted
// sizes, near 0 and 1 too. Every gold file is found among the first ten
// candidates with probability p at a place that is uniform; the task is resolved
// with probability p of that outcome. Tokens and times are log-normal about a
// median that effects multiply.
//
// Everything follows from the Study and its seed. Each run has a stream of random
// numbers of its own, so that neither workers nor the order of writing change a
// byte, and Draw gives the outcomes of the same runs without writing them.
package simulate

// Package stats turns samples into estimates.
//
// Everything here is a pure function of its arguments: no files, no clock, no
// environment, no global randomness. Resampling takes its seed as an argument
// and gives the same draws for any number of workers.
//
// The unit that is sampled in a study of coding agents is the task; runs of one
// task are not independent. The defaults (see Rate, PairedCells, PairedMean,
// AnalyzeFactorial) follow from that. Other methods are asked for by name.
//
// A quantity that the data cannot give is never 0 or NaN: results carry a
// Reason, and where it is not empty the numbers beside it mean nothing.
package stats

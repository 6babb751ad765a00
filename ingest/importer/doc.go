// Package importer turns the logs of other programs into run directories: one
// file a format, one line in the list Importers.
//
// Importing never invents. What a source does not say stays null; what it cannot
// say is listed in the importer's Cannot; a file that contradicts itself is
// refused with nothing written, unless Options say which of two contents to
// take. What was read, kept once, left out and cross-checked is the
// Reconciliation, which is also written beside the runs.
//
// The runs are written under a temporary name beside the destination and moved
// there at the end: a failure leaves nothing behind.
//
// To add a format, write a file with an Importer whose read function turns files
// into a batch of runs, each with a load function for its events, and add it to
// Importers. Walking, decompressing, numbering of repetitions, writing and the
// reconciliation are here for all.
package importer

package ingest

// Reading returns the run that ReadRun is reading, as far as it is read: visit
// finds there the manifest and the files that were judged before the trajectory.
// It is nil at other times.
func (r *Reader) Reading() *Run { return r.run }

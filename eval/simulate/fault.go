package simulate

// A Plant is how many runs or tasks get a fault.
type Plant struct {
	// Count is the number of runs or tasks.
	Count int
}

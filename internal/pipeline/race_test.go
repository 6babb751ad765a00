//go:build race

package pipeline_test

// raceDetector is true where memory holds the race detector's books too.
const raceDetector = true

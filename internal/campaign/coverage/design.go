package main

// A Design is a kind of study whose truth is known.
type Design struct {
	// Name is how the table calls it.
	Name string
	// Tasks and Repositories count what there is; without repositories tasks are
	// independent, with them intervals and tests cluster by repository.
	Tasks, Repositories int
	// Least and Most bound the runs of a task and arm.
	Least, Most int
	// Lost is the share of runs that have no value, at random.
	Lost float64
	// Rate is the probability that a run of the baseline succeeds.
	Rate float64
	// Agreement is the correlation between two runs of one task in one arm.
	Agreement float64
	// Shared is the correlation between tasks of one repository.
	Shared float64
	// ByTask clusters by task although tasks share repositories: what happens to
	// those who overlook that.
	ByTask bool
	// RatesOnly leaves out the questions on amounts, on which the rate has no bearing.
	RatesOnly bool
}

// designs are the studies of the page, in its order.
var designs = []Design{
	{Name: "balanced, 40 tasks", Tasks: 40, Least: 3, Most: 3, Rate: 0.5, Agreement: 0.5},
	{Name: "balanced, 150 tasks", Tasks: 150, Least: 2, Most: 2, Rate: 0.4, Agreement: 0.5},
	{Name: "unbalanced, 40 tasks, 1 to 5 runs, 15% lost", Tasks: 40, Least: 1, Most: 5, Lost: 0.15, Rate: 0.4, Agreement: 0.5},
	{Name: "clustered, 90 tasks in 30 repositories", Tasks: 90, Repositories: 30, Least: 2, Most: 2, Rate: 0.5, Agreement: 0.5, Shared: 0.2},
	{Name: "clustered, 40 tasks in 12 repositories", Tasks: 40, Repositories: 12, Least: 2, Most: 2, Rate: 0.5, Agreement: 0.5, Shared: 0.2},
	{Name: "the same 12 repositories overlooked", Tasks: 40, Repositories: 12, Least: 2, Most: 2, Rate: 0.5, Agreement: 0.5, Shared: 0.2, ByTask: true},
	{Name: "few: 12 tasks", Tasks: 12, Least: 3, Most: 3, Rate: 0.5, Agreement: 0.5},
	{Name: "few: 8 tasks", Tasks: 8, Least: 3, Most: 3, Rate: 0.5, Agreement: 0.5},
	{Name: "rate 5%, 40 tasks", Tasks: 40, Least: 3, Most: 3, Rate: 0.05, Agreement: 0.5, RatesOnly: true},
	{Name: "rate 5%, 150 tasks that mostly agree", Tasks: 150, Least: 3, Most: 3, Rate: 0.05, Agreement: 0.8, RatesOnly: true},
	{Name: "rate 95%, 40 tasks", Tasks: 40, Least: 3, Most: 3, Rate: 0.95, Agreement: 0.5, RatesOnly: true},
	{Name: "rate 95%, 12 tasks", Tasks: 12, Least: 3, Most: 3, Rate: 0.95, Agreement: 0.5, RatesOnly: true},
}

// lift is the probability with which the planted effect turns a failure into a
// success, or for rates above one half a success into a failure.
func (d Design) lift() float64 {
	if d.RatesOnly {
		return 0.1
	}
	return 0.3
}

// effect is the true difference of rates that lift plants.
func (d Design) effect() float64 {
	if d.Rate > 0.5 {
		return -d.lift() * d.Rate
	}
	return d.lift() * (1 - d.Rate)
}

// The planted sizes on amounts.
const (
	// logSD is the standard deviation of the logarithm of an amount.
	logSD = 0.8
	// logEffect is the planted difference of log amounts between arms.
	logEffect = 0.4
)

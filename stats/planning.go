package stats

import "math"

// Names of the ways to plan a paired comparison.
const (
	PlanExactMcNemar = "exact mcnemar at the observed discordance"
	PlanObserved     = "paired t, simulated from the observed differences"
	PlanNormal       = "paired t, normal differences"
)

// A PlanRequest is what a comparison of the same kind shall find.
type PlanRequest struct {
	// Planning is the level and the power.
	Planning Planning
	// Difference is the true difference to find; 0 means none is asked for.
	Difference float64
	// Tasks is the number of tasks to judge; 0 means those that were observed.
	Tasks int
	// Repetitions is the number of pairs a task, 0 for those that were observed.
	Repetitions int
}

// A ComparisonPlan says how many tasks a difference needs, and what difference a
// number of tasks can show.
type ComparisonPlan struct {
	// Method is how it was found.
	Method string
	// Discordance is the share of tasks on which the arms differ, with one 0/1
	// outcome a task and arm.
	Discordance Number
	// SD is the standard deviation of a task's mean difference.
	SD Number
	// RequiredTasks is the number of tasks that find Difference with the power.
	RequiredTasks Number
	// Detectable is the smallest difference that Tasks find with the power.
	Detectable Number
	// Power is the probability with which Tasks find Difference.
	Power Number
	// Difference and Tasks are those that were judged.
	Difference float64
	// Tasks is that number.
	Tasks int
}

// PlanRates plans a comparison of 0/1 outcomes with one pair a task from the share
// of tasks on which the arms differ, by the exact McNemar test. Where the
// difference exceeds the discordance, the discordance grows with it.
func PlanRates(discordance float64, q PlanRequest) ComparisonPlan {
	out := ComparisonPlan{Method: PlanExactMcNemar, Discordance: Number{Value: discordance}, SD: Number{Reason: Undefined},
		Difference: q.Difference, Tasks: q.Tasks}
	out.RequiredTasks, out.Power, out.Detectable = Number{Reason: Undefined}, Number{Reason: Undefined}, Number{Reason: TooFew}
	if q.Difference != 0 {
		p := PairedRatesPlan{Discordance: math.Max(discordance, math.Abs(q.Difference)), Difference: q.Difference}
		n, why := p.RequiredTasks(q.Planning)
		out.RequiredTasks = Number{Value: float64(n), Reason: why}
		if q.Tasks > 0 {
			out.Power = Number{Value: p.Power(q.Tasks, q.Planning.Alpha)}
		}
	}
	if q.Tasks > 0 {
		d, why := DetectableRateDifference(q.Tasks, discordance, q.Planning)
		out.Detectable = Number{Value: d, Reason: why}
	}
	return out
}

// PlanMeans plans a comparison of means from the standard deviation of a task's
// mean difference, by a paired t test of normal differences.
func PlanMeans(sd float64, q PlanRequest) ComparisonPlan {
	p := MeanPlan{Between: sd * sd}
	q.Repetitions = 1
	return p.plan(q)
}

// plan is by the noncentral t.
func (p MeanPlan) plan(q PlanRequest) ComparisonPlan {
	sd := p.SD(q.Repetitions)
	out := ComparisonPlan{Method: PlanNormal, SD: Number{Value: sd}, Discordance: Number{Reason: Undefined}, Difference: q.Difference, Tasks: q.Tasks}
	out.RequiredTasks, out.Power, out.Detectable = Number{Reason: Undefined}, Number{Reason: Undefined}, Number{Reason: TooFew}
	if !(sd > 0) {
		out.SD.Reason, out.RequiredTasks.Reason, out.Detectable.Reason = NoVariation, NoVariation, NoVariation
		return out
	}
	if q.Difference != 0 {
		n, why := p.RequiredTasksBound(q.Difference, q.Repetitions, q.Planning)
		out.RequiredTasks = Number{Value: float64(n), Reason: why}
		if q.Tasks > 1 {
			out.Power = Number{Value: PairedTPower(q.Tasks, sd, q.Difference, q.Planning.Alpha)}
		}
	}
	if q.Tasks > 1 {
		d, why := p.DetectableBound(q.Tasks, q.Repetitions, q.Planning)
		out.Detectable = Number{Value: d, Reason: why}
	}
	return out
}

// simulatedTasks is the size up to which required tasks are found by simulation;
// beyond it the mean of so many differences is normal, and so is the plan.
const simulatedTasks = 1000

// PlanComparison plans a comparison like one that was observed: 0/1 outcomes with
// one pair a task by PlanRates, others by studies drawn from the observed
// differences of the tasks, or, where another number of repetitions is asked for or
// very many tasks are needed, by the normal form. The observed discordance and
// spread are taken to be true, so that a plan from few tasks is itself uncertain.
func PlanComparison(c PairedComparison, q PlanRequest, r Resampling) ComparisonPlan {
	tasks := len(c.Differences.Tasks)
	if q.Tasks == 0 {
		q.Tasks = tasks
	}
	if c.Reason.OK() && (c.Test == TestMcNemar || c.Test == TestMcNemarMidP) {
		return PlanRates(float64(c.Won+c.Lost)/float64(tasks), q)
	}
	p, why := MeanPlanOf(c.Differences.ByTask)
	if !why.OK() {
		none := Number{Reason: why}
		return ComparisonPlan{Method: PlanObserved, Discordance: none, SD: none, RequiredTasks: none, Detectable: none, Power: none, Difference: q.Difference, Tasks: q.Tasks}
	}
	if q.Repetitions > 0 {
		return p.plan(q)
	}
	return p.simulated(c, q, r)
}

// simulated is by studies drawn from the observed differences.
func (p MeanPlan) simulated(c PairedComparison, q PlanRequest, r Resampling) ComparisonPlan {
	sd := c.SE * sqrtInt(len(c.Differences.Tasks))
	out := MeanPlan{Between: sd * sd}.plan(PlanRequest{Planning: q.Planning, Difference: q.Difference, Tasks: q.Tasks, Repetitions: 1})
	if q.Tasks <= simulatedTasks {
		d, why := p.Detectable(q.Tasks, q.Planning, r)
		out.Method, out.Detectable = PlanObserved, Number{Value: d, Reason: why}
	}
	if out.RequiredTasks.Reason.OK() && out.RequiredTasks.Value <= simulatedTasks {
		n, why := p.RequiredTasks(q.Difference, q.Planning, r)
		out.Method, out.RequiredTasks = PlanObserved, Number{Value: float64(n), Reason: why}
	}
	return out
}

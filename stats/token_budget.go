package stats

import "math"

// A ContextItem is something that was put into, or offered for, a model's context.
type ContextItem struct {
	// Tokens is its cost, 0 or more.
	Tokens float64
	// RelevantID names the relevant thing that it holds, "" for none. A
	// second item with the same id costs again and adds nothing.
	RelevantID string
}

// A BudgetCurve is recall as a step function of the tokens spent, in the order
// of the items: an item counts once the sum of the costs up to it is within the
// budget. There are no partial items.
type BudgetCurve struct {
	items  []ContextItem
	total  int
	tokens []float64 // cumulative
	recall []float64 // after each item
}

// NewBudgetCurve takes the items in order and the number of relevant things
// there are. Where that is 0 every measure is Undefined.
func NewBudgetCurve(items []ContextItem, totalRelevant int) BudgetCurve {
	c := BudgetCurve{items: items, total: totalRelevant}
	seen := map[string]bool{}
	sum := 0.0
	for _, item := range items {
		sum += item.Tokens
		if item.RelevantID != "" {
			seen[item.RelevantID] = true
		}
		c.tokens = append(c.tokens, sum)
		c.recall = append(c.recall, share(len(seen), totalRelevant))
	}
	return c
}

// Reason is Undefined where nothing is relevant.
func (c BudgetCurve) Reason() Reason {
	if c.total == 0 {
		return Undefined
	}
	return ""
}

// Recall is the recall of the longest prefix of the items within the budget.
func (c BudgetCurve) Recall(budget float64) float64 {
	recall := 0.0
	for i, t := range c.tokens {
		if t > budget {
			break
		}
		recall = c.recall[i]
	}
	return recall
}

// RecallSkipping is the recall where an item that does not fit into what is left
// of the budget is passed over in favour of later ones.
func (c BudgetCurve) RecallSkipping(budget float64) float64 {
	seen := map[string]bool{}
	for _, item := range c.items {
		if item.Tokens > budget {
			continue
		}
		budget -= item.Tokens
		if item.RelevantID != "" {
			seen[item.RelevantID] = true
		}
	}
	return share(len(seen), c.total)
}

// StepArea is the mean recall over all budgets from 0 to most.
func (c BudgetCurve) StepArea(most float64) float64 {
	return c.area(func(from, to float64) float64 { return to - from }, 0, most) / most
}

// LogArea is the mean recall over the logarithm of the budgets from least to most,
// which weighs small budgets more. least must be above 0.
func (c BudgetCurve) LogArea(least, most float64) float64 {
	return c.area(func(from, to float64) float64 { return math.Log(to / from) }, least, most) / math.Log(most/least)
}

// area is the integral of the step function from least to most, by the given length.
func (c BudgetCurve) area(length func(from, to float64) float64, least, most float64) float64 {
	var sum twofold
	for i, t := range c.tokens {
		next := most
		if i+1 < len(c.tokens) {
			next = math.Min(most, c.tokens[i+1])
		}
		if from := math.Max(least, t); from < next {
			sum.addProduct(c.recall[i], length(from, next))
		}
	}
	return sum.value()
}

// TrapezoidArea joins the points of the curve by straight lines from (0,0), and
// goes on flat: it flatters a list whose first items are long. It is there to
// compare with reports that use it.
func (c BudgetCurve) TrapezoidArea(most float64) float64 {
	var sum twofold
	at, recall := 0.0, 0.0
	for i, t := range c.tokens {
		if t > most {
			break
		}
		sum.addProduct((c.recall[i]+recall)/2, t-at)
		at, recall = t, c.recall[i]
	}
	sum.addProduct(recall, most-at)
	return sum.value() / most
}

// TokensToFirst is the cost of all items up to the first relevant one, it
// included. NoData where there is none.
func (c BudgetCurve) TokensToFirst() (float64, Reason) {
	for i, item := range c.items {
		if item.RelevantID != "" {
			return c.tokens[i], ""
		}
	}
	return 0, NoData
}

// TokensToRecall is the smallest cost at which the recall is reached; NoData
// where it never is.
func (c BudgetCurve) TokensToRecall(recall float64) (float64, Reason) {
	if !c.Reason().OK() {
		return 0, Undefined
	}
	for i, r := range c.recall {
		if r >= recall {
			return c.tokens[i], ""
		}
	}
	return 0, NoData
}

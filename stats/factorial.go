package stats

// A FactorialDesign is a set of runs with the settings each was made under. All
// columns are of one length, one entry a run.
type FactorialDesign struct {
	// Factors are the treatments; in each, the first level is the reference.
	Factors []Factor
	// Response is one number a run, 0 or 1 for a binary outcome; NaN is missing.
	Response []float64
	// Block codes the task of each run, from 0; nil leaves blocks out. A negative
	// code is missing.
	Block []int
	// Cluster codes the sampled unit of each run; nil means the block, and without
	// a block each run by itself. Blocks must lie within clusters (tasks within
	// repositories).
	Cluster []int
	// Degree is the highest interaction in the model; 0 means 2.
	Degree int
	// Level is that of the intervals; 0 means 0.95.
	Level float64
}

// A FactorialTerm is a main effect or interaction of a factorial analysis.
type FactorialTerm struct {
	// Name is the term.
	Name string
	// Test is the test that the term's effect-coded coefficients are all zero.
	Test TermTest
	// PHolm is Test.P adjusted by Holm over the estimable terms of this analysis.
	PHolm float64
	// LikelihoodRatio is the likelihood ratio test beside it; MethodLogistic only.
	LikelihoodRatio TermTest
	// SS is the type III sum of squares, in squared units of the response.
	SS Number
	// PartialEtaSq is SS over SS plus the residual sum of squares of the same fit.
	PartialEtaSq Number
	// Reason is why the term is not estimable; EmptyCells then names the cells
	// without a run that it rests on, as factor=level.
	Reason Reason
	// EmptyCells are those cells.
	EmptyCells []string
}

// A FactorialLevel is the mean response at one level of a factor, cells of the
// other factors and tasks weighed equally.
type FactorialLevel struct {
	// Factor and Level name it.
	Factor string
	// Level is the level's name.
	Level string
	// Mean is its estimate.
	Mean Coefficient
	// EmptyCells are the cells that make it non-estimable.
	EmptyCells []string
}

// A FactorialContrast is the difference of the means of two levels of a factor.
type FactorialContrast struct {
	// Factor names the factor.
	Factor string
	// Level is the level whose mean is taken, Reference that which is subtracted.
	Level, Reference string
	// Difference is its estimate; for a 0/1 response it is a risk difference.
	Difference Coefficient
	// EmptyCells are the cells that make it non-estimable.
	EmptyCells []string
}

// A Factorial is the analysis of a factorial design.
type Factorial struct {
	// Method says how it was made.
	Method FactorialMethod
	// N is the number of runs used, Dropped those left out for a missing value.
	N int
	// Dropped is that number.
	Dropped int
	// Blocks is the number of tasks, Clusters that of sampled units.
	Blocks, Clusters int
	// Rank counts independent coefficients, the blocks' included.
	Rank int
	// DFResidual is N - Rank.
	DFResidual int
	// RSS is the residual sum of squares.
	RSS float64
	// Coefficients are the effect-coded coefficients beside intercept and blocks.
	Coefficients []Coefficient
	// Terms are the main effects and interactions by rising degree.
	Terms []FactorialTerm
	// HolmTests is the number of estimable terms that PHolm is adjusted for.
	HolmTests int
	// Means are the level means of every factor, in the order of its levels.
	Means []FactorialLevel
	// Contrasts are, for every factor, all differences of a level and one before it.
	Contrasts []FactorialContrast
	// Reason is why there is no analysis at all.
	Reason Reason
	// Notes are facts about the fit that a reader must know, such as the fallback
	// of a logistic model to Firth's penalty.
	Notes []string
}

// AnalyzeFactorial is the default analysis of a factorial experiment on coding
// agents: ordinary least squares in effect coding with main effects and
// interactions up to design.Degree, the task as a fixed block, CR2
// cluster-robust errors, Satterthwaite t for coefficients, means and contrasts,
// the HTZ test for terms, and partial eta squared from the type III sums of the
// same fit (Pustejovsky and Tipton 2018, JBES 36:672). A 0/1 response gives risk
// differences.
//
// It assumes that clusters are independent and that effects of tasks add to
// those of treatments. Level means weigh cells and tasks equally, not by runs.
// A term that rests on a cell without a run, the main effects of the factors
// that meet in it included, has the reason EmptyCell and names the cell. With
// fewer than two clusters the analysis has the reason TooFew.
//
// Blocks are absorbed by centring within them, which leaves errors and degrees
// of freedom as they are with one dummy a task.
func AnalyzeFactorial(design FactorialDesign) (*Factorial, error) {
	a, err := newAbsorbed(design)
	if err != nil {
		return nil, err
	}
	f := &Factorial{Method: MethodOLS, N: a.fit.N, Dropped: len(design.Response) - a.fit.N, Blocks: a.blocks,
		Rank: a.fit.Rank + a.blocks, DFResidual: a.fit.DFResidual, RSS: a.fit.RSS}
	if f.N == 0 {
		f.Reason = NoData
		return f, nil
	}
	robust, why := ClusterRobust(a.fit, a.cluster, CR2)
	if why != "" {
		f.Reason = why
		return f, nil
	}
	f.Clusters = robust.Clusters
	a.robust = robust
	for j, c := range a.full.Columns {
		if c.Term >= 0 {
			f.Coefficients = append(f.Coefficients, a.estimate(c.Name, unit(len(a.full.Columns), j), 0))
		}
	}
	for t := range a.full.Terms {
		f.Terms = append(f.Terms, a.term(t))
	}
	f.holm()
	for _, factor := range design.Factors {
		a.levels(f, factor)
	}
	return f, nil
}

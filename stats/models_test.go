package stats

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// close checks a number to a relative tolerance.
func closeTo(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s: have %.12g, want %.12g", what, got, want)
	}
}

// longley is Longley's data (1967, JASA 62:819), columns y, x1..x6, from NIST
// StRD (public domain), whose certified values the test holds.
var longley = [][7]float64{
	{60323, 83.0, 234289, 2356, 1590, 107608, 1947}, {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
	{60171, 88.2, 258054, 3682, 1616, 109773, 1949}, {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
	{63221, 96.2, 328975, 2099, 3099, 112075, 1951}, {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
	{64989, 99.0, 365385, 1870, 3547, 115094, 1953}, {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
	{66019, 101.2, 397469, 2904, 3048, 117388, 1955}, {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
	{68169, 108.4, 442769, 2936, 2798, 120445, 1957}, {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
	{68655, 112.6, 482704, 3813, 2552, 123366, 1959}, {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
	{69331, 115.7, 518173, 4806, 2572, 127852, 1961}, {70551, 116.9, 554894, 4007, 2827, 130081, 1962},
}

func TestLongleyCertified(t *testing.T) {
	var frame Frame
	var terms []Term
	var y []float64
	for j, name := range []string{"x1", "x2", "x3", "x4", "x5", "x6"} {
		c := Covariate{Name: name}
		for _, row := range longley {
			c.Values = append(c.Values, row[j+1])
		}
		frame.Covariates, terms = append(frame.Covariates, c), append(terms, Term{name})
	}
	for _, row := range longley {
		y = append(y, row[0])
	}
	d, err := NewDesign(frame, Model{Terms: terms}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := OLS(d, y, nil, 0.95)
	// NIST StRD, Longley, certified values.
	for i, want := range []float64{-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359, -0.511041056535807e-01, 1829.15146461355} {
		closeTo(t, fit.Coefficients[i].Name, fit.Coefficients[i].Estimate, want, 1e-12)
	}
	closeTo(t, "standard error", fit.Coefficients[1].StdErr, 84.9149257747669, 1e-12)
	closeTo(t, "residual sd", fit.Sigma.Value, 304.854073561965, 1e-12)
	closeTo(t, "R2", fit.R2.Value, 0.995479004577296, 1e-13)
	closeTo(t, "F", fit.F.Statistic, 330.285339234588, 1e-11)
}

// plantGrowth is R's PlantGrowth (Dobson 1983): control and two treatments.
var plantGrowth = [][]float64{
	{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14},
	{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69},
	{6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26},
}

func TestPlantGrowth(t *testing.T) {
	var y []float64
	f := Factor{Name: "group", Levels: []string{"ctrl", "trt1", "trt2"}}
	for g, values := range plantGrowth {
		for _, v := range values {
			y, f.Codes = append(y, v), append(f.Codes, g)
		}
	}
	frame, model := Frame{Factors: []Factor{f}}, Model{Terms: []Term{{"group"}}}
	for _, kind := range []SumType{SumTypeI, SumTypeII, SumTypeIII} {
		a, err := AnalysisOfVariance(frame, y, model, kind)
		if err != nil {
			t.Fatal(err)
		}
		// R's help page of PlantGrowth: F(2,27) = 4.8461, p = 0.01591.
		closeTo(t, "F", a.Rows[0].Test.Statistic, 4.8461, 1e-5)
		closeTo(t, "p", a.Rows[0].Test.P, 0.01591, 1e-3)
	}
}

// TestDyestuff fits Davies's dyestuff yields (1947); the values are those of
// Bates, Mächler, Bolker and Walker's lme4: REML criterion 319.6543, variances
// 1764.05 and 2451.25.
func TestDyestuff(t *testing.T) {
	batches := [][]float64{{1545, 1440, 1440, 1520, 1580}, {1540, 1555, 1490, 1560, 1495}, {1595, 1550, 1605, 1510, 1560},
		{1445, 1440, 1595, 1465, 1545}, {1595, 1630, 1515, 1635, 1625}, {1520, 1455, 1450, 1480, 1445}}
	group := Factor{Name: "batch", Levels: []string{"A", "B", "C", "D", "E", "F"}}
	var y []float64
	for b, values := range batches {
		for _, v := range values {
			y, group.Codes = append(y, v), append(group.Codes, b)
		}
	}
	d, err := NewDesign(Frame{}, Model{}, slices.Repeat([]bool{true}, len(y)))
	if err != nil {
		t.Fatal(err)
	}
	fit, err := Mixed(d, y, []RandomTerm{{Group: group}}, true, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "criterion", fit.Criterion, 319.654276842342, 1e-9)
	closeTo(t, "between", fit.Components[0].Variance, 1764.05, 1e-5)
	closeTo(t, "within", fit.Components[1].Variance, 2451.25, 1e-5)
	closeTo(t, "mean", fit.Coefficients[0].Estimate, 1527.5, 1e-12)
	// Balanced: the error of the mean has as many degrees of freedom as batches less one.
	closeTo(t, "df", fit.Coefficients[0].DF, 5, 1e-6)
}

// TestLogisticClosedForms: with one binary covariate the log odds ratio and its
// error are those of the 2x2 table, and Firth's estimate adds a half to each cell.
func TestLogisticClosedForms(t *testing.T) {
	d, err := NewDesign(Frame{Factors: []Factor{NewFactor("arm", []string{"off", "on"}, nil)}}, Model{Terms: []Term{{"arm"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := Logistic(d, []float64{12, 30}, []float64{40, 45}, 0.95)
	closeTo(t, "log odds ratio", fit.Coefficients[1].Estimate, math.Log(30.0/15*28/12), 1e-12)
	closeTo(t, "error", fit.Coefficients[1].StdErr, math.Sqrt(1.0/30+1.0/15+1.0/28+1.0/12), 1e-12)
	firth := Firth(d, []float64{12, 30}, []float64{40, 45}, 0.95)
	closeTo(t, "Firth", firth.Coefficients[1].Estimate, math.Log(30.5/15.5*28.5/12.5), 1e-8)
	separated := Logistic(d, []float64{12, 45}, []float64{40, 45}, 0.95)
	if separated.Reason != Separation || separated.Separation.Complete || !slices.Equal(separated.Separation.Diverging, []string{"armon"}) {
		t.Errorf("an arm that always succeeds: have %q %+v", separated.Reason, separated.Separation)
	}
	closeTo(t, "limiting deviance is that of the other arm", separated.Separation.LimitingDeviance+1, 1, 1e-9)
}

// TestSingletonClustersAreHC: with one row a cluster CR0, CR2 and CR3 are HC0,
// HC2 and HC3 by their definitions.
func TestSingletonClustersAreHC(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, id := make([]float64, 25), make([]float64, 25), make([]int, 25)
	for i := range x {
		x[i] = r.NormFloat64()
		y[i], id[i] = 1+2*x[i]+r.NormFloat64()*(1+math.Abs(x[i])), i
	}
	d, err := NewDesign(Frame{Covariates: []Covariate{{Name: "x", Values: x}}}, Model{Terms: []Term{{"x"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := OLS(d, y, nil, 0.95)
	for kind, hc := range map[ClusterKind]HeteroscedasticKind{CR0: HC0, CR2: HC2, CR3: HC3} {
		robust, why := ClusterRobust(fit, id, kind)
		if why != "" {
			t.Fatal(why)
		}
		want, why := HeteroscedasticRobust(fit, hc)
		if why != "" {
			t.Fatal(why)
		}
		for i := range want {
			for j := range want {
				closeTo(t, "entry", robust.Vcov[i][j], want[i][j], 1e-10)
			}
		}
	}
}

// unbalanced drops one run in seven of a simulated study.
func unbalanced(tasks int, seed uint64) FactorialDesign {
	d := simulatedFactorial(tasks, seed)
	for i := range d.Response {
		if (i*i+i/3)%7 == 0 {
			d.Response[i] = math.NaN()
		}
	}
	return d
}

// TestAbsorbedBlocksAreDummies: centring within tasks gives the errors, degrees
// of freedom and tests of a fit with one dummy a task, clustered by task.
func TestAbsorbedBlocksAreDummies(t *testing.T) {
	design := unbalanced(12, 9)
	f, err := AnalyzeFactorial(design)
	if err != nil {
		t.Fatal(err)
	}
	task := codedFactor("task", design.Block)
	terms := append([]Term{{"task"}}, Crossed([]string{"retrieval", "model", "prompt"}, 2)...)
	keep := make([]bool, len(design.Response))
	for i, v := range design.Response {
		keep[i] = !math.IsNaN(v)
	}
	d, err := NewDesign(Frame{Factors: append([]Factor{task}, design.Factors...)}, Model{Terms: terms, Coding: SumCoding}, keep)
	if err != nil {
		t.Fatal(err)
	}
	fit := OLS(d, d.Pick(design.Response), nil, 0.95)
	robust, why := ClusterRobust(fit, d.PickCodes(design.Block), CR2)
	if why != "" {
		t.Fatal(why)
	}
	want := map[string]Coefficient{}
	for _, c := range robust.Coefficients(0.95) {
		want[c.Name] = c
	}
	for _, c := range f.Coefficients {
		closeTo(t, c.Name, c.Estimate, want[c.Name].Estimate, 1e-10)
		closeTo(t, c.Name+" error", c.StdErr, want[c.Name].StdErr, 1e-9)
		closeTo(t, c.Name+" df", c.DF, want[c.Name].DF, 1e-8)
	}
	for _, term := range f.Terms {
		w := robust.Wald(term.Name, fit.termContrasts(term.Name))
		closeTo(t, term.Name+" F", term.Test.Statistic, w.Statistic, 1e-8)
		closeTo(t, term.Name+" df", term.Test.DF2, w.DF2, 1e-8)
	}
	if f.Rank != fit.Rank || f.DFResidual != fit.DFResidual {
		t.Errorf("rank and df: have %d %d, want %d %d", f.Rank, f.DFResidual, fit.Rank, fit.DFResidual)
	}
}

// TestSameBitsForAnyNumberOfWorkers: nothing depends on GOMAXPROCS.
func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) (out []float64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		design := unbalanced(30, 5)
		f, err := AnalyzeFactorial(design)
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := AnalyzeFactorialBy(design, MethodMixed)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range append(f.Terms, mixed.Terms...) {
			out = append(out, g.Test.Statistic, g.Test.DF2, g.Test.P)
		}
		return out
	}
	if one, four := run(1), run(4); !slices.Equal(one, four) {
		t.Errorf("have %v with one worker and %v with four", one, four)
	}
}

// TestMethodsAgreeOnABalancedStudy: with every cell filled once, the estimates of
// least squares, mixed model and repeated measures are the same means, and the
// mixed model's and the block analysis's F are those of one analysis of variance.
func TestMethodsAgreeOnABalancedStudy(t *testing.T) {
	design := simulatedFactorial(20, 11)
	ols, err := AnalyzeFactorial(design)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []FactorialMethod{MethodMixed, MethodRepeated} {
		f, err := AnalyzeFactorialBy(design, method)
		if err != nil {
			t.Fatal(err)
		}
		if f.Reason != "" || len(f.Contrasts) != len(ols.Contrasts) {
			t.Fatalf("%s: %q, %d contrasts", method, f.Reason, len(f.Contrasts))
		}
		for i, c := range f.Contrasts {
			closeTo(t, method.String()+" "+c.Difference.Name, c.Difference.Estimate, ols.Contrasts[i].Difference.Estimate, 1e-9)
		}
		for i, m := range f.Means {
			closeTo(t, method.String()+" mean of "+m.Level, m.Mean.Estimate, ols.Means[i].Mean.Estimate, 1e-9)
		}
	}
}

func TestLogisticMethodFallsBackToFirth(t *testing.T) {
	design := simulatedFactorial(6, 2)
	for i := range design.Response {
		design.Response[i] = float64(design.Factors[0].Codes[i])
		if design.Factors[1].Codes[i] == 1 && i%5 == 0 {
			design.Response[i] = 1
		}
	}
	f, err := AnalyzeFactorialBy(design, MethodLogistic)
	if err != nil {
		t.Fatal(err)
	}
	if f.Reason != "" || len(f.Notes) == 0 || !strings.Contains(f.Notes[0], "Firth") {
		t.Fatalf("have %q %v, want Firth's penalty and a note", f.Reason, f.Notes)
	}
	if f.Terms[0].Test.Reason != "" || !(f.Terms[0].Test.P < 0.01) {
		t.Errorf("retrieval decides the outcome: have %+v", f.Terms[0].Test)
	}
}

func TestEmptyCellByEveryMethod(t *testing.T) {
	design := simulatedFactorial(20, 3)
	for i := range design.Response {
		if design.Factors[0].Codes[i] == 1 && design.Factors[2].Codes[i] == 2 {
			design.Response[i] = math.NaN()
		}
		if !math.IsNaN(design.Response[i]) && design.Response[i] > 0 {
			design.Response[i] = 1
		} else if !math.IsNaN(design.Response[i]) {
			design.Response[i] = 0
		}
	}
	for _, method := range []FactorialMethod{MethodOLS, MethodMixed, MethodLogistic} {
		f, err := AnalyzeFactorialBy(design, method)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range f.Terms {
			refused := slices.Contains([]string{"retrieval", "prompt", "retrieval:prompt"}, g.Name)
			if refused != (g.Reason == EmptyCell) || refused && !slices.Equal(g.EmptyCells, []string{"retrieval=on, prompt=critique"}) {
				t.Errorf("%s %s: have %q %v", method, g.Name, g.Reason, g.EmptyCells)
			}
			if !refused && g.Test.Reason != "" {
				t.Errorf("%s %s: have no test: %s", method, g.Name, g.Test.Reason)
			}
		}
	}
}

// TestDegenerateFactorials: whatever the data, there are numbers or a reason, and
// a number is never NaN.
func TestDegenerateFactorials(t *testing.T) {
	nan := math.NaN()
	two := func(codes ...int) Factor { return Factor{Name: "a", Levels: []string{"x", "y"}, Codes: codes} }
	for name, d := range map[string]FactorialDesign{
		"no run":             {Factors: []Factor{two()}},
		"no response":        {Factors: []Factor{two(0, 1)}, Response: []float64{nan, nan}, Block: []int{0, 0}},
		"one task":           {Factors: []Factor{two(0, 1, 0, 1)}, Response: []float64{1, 2, 3, 5}, Block: []int{0, 0, 0, 0}},
		"one arm a task":     {Factors: []Factor{two(0, 1, 0, 1)}, Response: []float64{1, 2, 3, 5}, Block: []int{0, 1, 2, 3}},
		"constant response":  {Factors: []Factor{two(0, 1, 0, 1)}, Response: []float64{1, 1, 1, 1}, Block: []int{0, 0, 1, 1}},
		"same difference":    {Factors: []Factor{two(0, 1, 0, 1)}, Response: []float64{1, 2, 3, 4}, Block: []int{0, 0, 1, 1}},
		"two tasks":          {Factors: []Factor{two(0, 1, 0, 1)}, Response: []float64{1, 2, 3, 5}, Block: []int{0, 0, 1, 1}},
		"level without runs": {Factors: []Factor{{Name: "a", Levels: []string{"x", "y", "z"}, Codes: []int{0, 1, 0, 1}}}, Response: []float64{1, 2, 3, 5}, Block: []int{0, 0, 1, 1}},
	} {
		f, err := AnalyzeFactorial(d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, g := range f.Terms {
			if g.Test.Reason == "" && (math.IsNaN(g.Test.Statistic) || math.IsNaN(g.Test.P) || math.IsInf(g.Test.Statistic, 0)) {
				t.Errorf("%s: term %+v has neither number nor reason", name, g)
			}
		}
		for _, c := range f.Contrasts {
			g := c.Difference
			if g.Reason == "" && math.IsNaN(g.Estimate) || g.Reason == "" && g.Uncertain == "" && (math.IsNaN(g.P) || math.IsNaN(g.DF) || math.IsInf(g.Statistic, 0)) {
				t.Errorf("%s: difference %+v has neither number nor reason", name, g)
			}
		}
	}
}

// TestStratumHeterogeneity: two strata with one run a task are the Welch-like
// comparison of two groups: the HTZ F is the square of the difference over its
// CR2 error, which for a two-group model is sqrt(s1^2/n1 + s2^2/n2).
func TestStratumHeterogeneity(t *testing.T) {
	y := []float64{3, 5, 4, 8, 9, 7, 12, 10}
	stratum := Factor{Name: "difficulty", Levels: []string{"easy", "hard", "unused"}, Codes: []int{0, 0, 0, 1, 1, 1, 1, 1}}
	h := StratumHeterogeneity(y, stratum, []int{0, 1, 2, 3, 4, 5, 6, 7}, 0.95)
	if h.Reason != "" {
		t.Fatal(h.Reason)
	}
	// By hand: means 4 and 9.2, variances 1 and 3.7: (5.2)^2 / (1/3 + 3.7/5) = 25.1926.
	closeTo(t, "F", h.Test.Statistic, 5.2*5.2/(1.0/3+3.7/5), 1e-10)
	if h.Means[2].Reason != NoData || h.Clusters != 8 {
		t.Errorf("have %+v, want no data in the unused stratum and 8 clusters", h)
	}
	// For two groups of one run a cluster Bell and McCaffrey's degrees of freedom are
	// (1/n1+1/n2)^2 / (1/(n1^2(n1-1)) + 1/(n2^2(n2-1))) (Imbens and Kolesár 2016, REStat 98:701).
	closeTo(t, "df", h.Test.DF2, (8.0/15)*(8.0/15)/(1.0/18+1.0/100), 1e-10)
}

// TestPairsByTraceAndByPair: both ways to add over pairs of clusters are the same sum.
func TestPairsByTraceAndByPair(t *testing.T) {
	design := unbalanced(40, 6)
	a, err := newAbsorbed(design)
	if err != nil {
		t.Fatal(err)
	}
	r, why := ClusterRobust(a.fit, a.cluster, CR2)
	if why != "" {
		t.Fatal(why)
	}
	p := len(a.fit.Kept)
	for i := range p {
		for j := range i + 1 {
			s, u := r.shadow(unit(p, i)), r.shadow(unit(p, j))
			scale := math.Sqrt(r.entryVariance(s, s) * r.entryVariance(u, u))
			if got, want := r.pairsByTrace(s, u), r.pairsByPair(s, u); math.Abs(got-want) > 1e-13*scale {
				t.Errorf("contrasts %d, %d: have %g, want %g", i, j, got, want)
			}
		}
	}
}

// TestStratumOfOneTask: the error of a stratum with one task cannot be told, so it
// is left out of the test, which is then that of the others.
func TestStratumOfOneTask(t *testing.T) {
	y := []float64{3, 5, 4, 8, 9, 7, 12, 10}
	task := []int{0, 1, 2, 3, 4, 5, 6, 7}
	stratum := Factor{Name: "s", Levels: []string{"easy", "hard"}, Codes: []int{0, 0, 0, 1, 1, 1, 1, 1}}
	want := StratumHeterogeneity(y, stratum, task, 0.95)
	stratum.Levels = append(stratum.Levels, "odd")
	stratum.Codes = append(stratum.Codes, 2, 2)
	got := StratumHeterogeneity(append(y, 40, 41), stratum, append(task, 8, 8), 0.95)
	closeTo(t, "F", got.Test.Statistic, want.Test.Statistic, 1e-10)
	closeTo(t, "df", got.Test.DF2, want.Test.DF2, 1e-10)
	if !slices.Equal(got.LeftOut, []string{"odd"}) || got.Means[2].Uncertain != TooFew || got.Means[2].Estimate != 40.5 {
		t.Errorf("have %v %+v, want the stratum of one task left out with its mean 40.5", got.LeftOut, got.Means[2])
	}
}

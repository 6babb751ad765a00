package schema

// A Set is a closed list of words that a field may hold.
type Set struct {
	// Name is the set's name, which a field's tag refers to.
	Name string
	// Doc says what the words are about.
	Doc string
	// Words are the members, in the order of the documentation.
	Words []Word
}

// A Word is one member of a Set.
type Word struct {
	// Name stands in the raw file.
	Name string
	// Doc says what it means.
	Doc string
}

// How an agent's run ended.
var (
	EndingCompleted = Word{"completed", "the agent stopped by itself"}
	EndingTimeout   = Word{"timeout", "the run's time was up"}
	EndingLimit     = Word{"limit", "another limit was reached"}
	EndingCrashed   = Word{"crashed", "the harness or the agent crashed"}
	EndingCancelled = Word{"cancelled", "somebody stopped the run: the apparatus's fault"}
	EndingError     = Word{"error", "the run ended in an error"}
)

// What an evaluation made of a run.
var (
	OutcomeResolved      = Word{"resolved", "the evaluation found the task resolved"}
	OutcomeUnresolved    = Word{"unresolved", "the evaluation found the task not resolved"}
	OutcomeNotEvaluated  = Word{"not_evaluated", "no evaluation took place"}
	OutcomeNotApplicable = Word{"not_applicable", "there is nothing to resolve, as in a retrieval run"}
)

// The stage in which a run that did not resolve its task failed.
var (
	StageSetup          = Word{"setup", "before the agent began: the apparatus's fault"}
	StageIndex          = Word{"index", "while building or updating an index"}
	StageRetrieve       = Word{"retrieve", "the answer was not found"}
	StageNavigate       = Word{"navigate", "the answer was found but not opened"}
	StageEdit           = Word{"edit", "the change could not be made or was wrong"}
	StageTest           = Word{"test", "the change did not pass"}
	StageEvaluate       = Word{"evaluate", "the evaluation itself failed"}
	StageInfrastructure = Word{"infrastructure", "machine, network or service: the apparatus's fault"}
	StageUnknown        = Word{"unknown", "no stage was given"}
)

// Whether a call worked.
var (
	StatusOK      = Word{"ok", "the call worked"}
	StatusError   = Word{"error", "the call failed"}
	StatusTimeout = Word{"timeout", "the call took too long"}
)

// Who failed in a tool call.
var (
	ToolErrorTool   = Word{"tool", "the tool itself"}
	ToolErrorParser = Word{"parser", "the call could not be parsed"}
	ToolErrorEdit   = Word{"edit", "an edit could not be applied"}
)

// The sorts of checks.
var (
	KindTest   = Word{"test", "a test suite"}
	KindLint   = Word{"lint", "a linter"}
	KindBuild  = Word{"build", "a build"}
	KindSyntax = Word{"syntax", "a syntax check"}
)

// What is asked of a listed test.
var (
	SetFailToPass = Word{"fail_to_pass", "fails before and must pass after"}
	SetPassToPass = Word{"pass_to_pass", "passes before and must pass after"}
	SetOther      = Word{"other", "nothing is asked"}
)

// What became of a test.
var (
	TestPassed  = Word{"passed", "the test passed"}
	TestFailed  = Word{"failed", "the test failed"}
	TestError   = Word{"error", "the test could not be run to an end"}
	TestSkipped = Word{"skipped", "the test was left out"}
	TestMissing = Word{"missing", "the test is listed, and the log does not show it"}
)

// Whether a run left a patch.
var (
	PatchFilePresent = Word{"file", "patch.diff is there"}
	PatchEmpty       = Word{"empty", "the run produced an empty patch"}
	PatchNone        = Word{"none", "the run produced no patch"}
)

// How a source counts cached and reasoning tokens.
var (
	ConventionInclusive               = Word{"inclusive", "cached tokens are part of the input, reasoning of the output"}
	ConventionCachedApart             = Word{"cached_apart", "cached tokens were counted beside the input"}
	ConventionReasoningApart          = Word{"reasoning_apart", "reasoning tokens were counted beside the output"}
	ConventionCachedAndReasoningApart = Word{"cached_and_reasoning_apart", "both were counted beside"}
)

// What a resource sample measures.
var (
	ScopeProcess = Word{"process", "one process"}
	ScopeIndex   = Word{"index", "a retrieval index"}
	ScopeSystem  = Word{"system", "the machine"}
)

// What a run's source does not record: that there is none of it is no zero.
var (
	NotRecordedModelCall  = Word{EventModelCall.Name, "requests to models, and what they cost"}
	NotRecordedToolCall   = Word{EventToolCall.Name, "calls of tools"}
	NotRecordedToolStatus = Word{EventToolCall.Name + ".status", "whether a tool call worked: a status of ok says nothing"}
	NotRecordedFileRead   = Word{EventFileRead.Name, "which files were read"}
	NotRecordedEdit       = Word{EventEdit.Name, "edits, and whether they were applied"}
	NotRecordedTestRun    = Word{EventTestRun.Name, "the checks that the agent ran"}
)

// Which faults count as failures of the agent.
var (
	FaultsAgent = Word{"agent", "only the agent's: infrastructure is excluded, evaluator faults are missing"}
	FaultsAll   = Word{"all", "infrastructure and evaluator faults too"}
	FaultsNone  = Word{"none", "only runs that were evaluated count"}
)

// What part of a system a factor changes.
var (
	RoleRetrieval = Word{"retrieval", "how candidates are found"}
	RoleQuery     = Word{"query", "how the question is put"}
	RolePacking   = Word{"packing", "how candidates are put into the context"}
	RoleOther     = Word{"other", "anything else"}
)

// How an exclusion rule compares.
var (
	OpEqual    = Word{"=", "equal"}
	OpNotEqual = Word{"!=", "not equal"}
	OpIn       = Word{"in", "one of a list"}
	OpLess     = Word{"<", "below"}
	OpAtMost   = Word{"<=", "at most"}
	OpGreater  = Word{">", "above"}
	OpAtLeast  = Word{">=", "at least"}
)

// Sets lists every set.
var Sets = []Set{
	{"ending", "How an agent's run ended.", []Word{EndingCompleted, EndingTimeout, EndingLimit, EndingCrashed, EndingCancelled, EndingError}},
	{"outcome", "What an evaluation made of a run.", []Word{OutcomeResolved, OutcomeUnresolved, OutcomeNotEvaluated, OutcomeNotApplicable}},
	{"failure_stage", "The stage in which a run failed.", []Word{StageSetup, StageIndex, StageRetrieve, StageNavigate, StageEdit, StageTest, StageEvaluate, StageInfrastructure, StageUnknown}},
	{"call_status", "Whether a call worked.", []Word{StatusOK, StatusError, StatusTimeout}},
	{"tool_error_kind", "Who failed in a tool call.", []Word{ToolErrorTool, ToolErrorParser, ToolErrorEdit}},
	{"test_kind", "The sort of a check.", []Word{KindTest, KindLint, KindBuild, KindSyntax}},
	{"test_set", "What is asked of a listed test.", []Word{SetFailToPass, SetPassToPass, SetOther}},
	{"test_status", "What became of a test.", []Word{TestPassed, TestFailed, TestError, TestSkipped, TestMissing}},
	{"patch_presence", "Whether a run left a patch.", []Word{PatchFilePresent, PatchEmpty, PatchNone}},
	{"usage_convention", "How a source counts tokens.", []Word{ConventionInclusive, ConventionCachedApart, ConventionReasoningApart, ConventionCachedAndReasoningApart}},
	{"resource_scope", "What a resource sample measures.", []Word{ScopeProcess, ScopeIndex, ScopeSystem}},
	{"not_recorded", "What a run's source does not record.", []Word{NotRecordedModelCall, NotRecordedToolCall, NotRecordedToolStatus, NotRecordedFileRead, NotRecordedEdit, NotRecordedTestRun}},
	{"faults", "Which faults count as failures.", []Word{FaultsAgent, FaultsAll, FaultsNone}},
	{"factor_role", "What part of a system a factor changes.", []Word{RoleRetrieval, RoleQuery, RolePacking, RoleOther}},
	{"rule_op", "How an exclusion rule compares.", []Word{OpEqual, OpNotEqual, OpIn, OpLess, OpAtMost, OpGreater, OpAtLeast}},
}

// SetByName finds a set.
func SetByName(name string) (*Set, bool) {
	for i := range Sets {
		if Sets[i].Name == name {
			return &Sets[i], true
		}
	}
	return nil, false
}

// Has reports whether the set holds the word.
func (s *Set) Has(word string) bool {
	for i := range s.Words {
		if s.Words[i].Name == word {
			return true
		}
	}
	return false
}

package schema

func checkOK(name, heading, definition string, reads ...string) Metric {
	return Metric{Name: name, Heading: heading, Group: groupEditing,
		Kind: KindRate, Type: TypeInteger, Direction: HigherBetter, Level: LevelRun,
		Definition:  definition,
		Denominator: "included runs in which such a check was run",
		Missing:     "not_run; " + missingWhere(&NotRecordedTestRun),
		Misleads:    "the agent chose when to check: the last check may be older than the last edit",
		Reads:       append([]string{DocumentManifest.Name}, reads...)}
}

func patchSize(name, heading, what string) Metric {
	return Metric{Name: name, Heading: heading, Group: groupEditing, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: NoDirection, Level: LevelRun,
		Definition:  what + " of patch.diff",
		Denominator: "included runs with a patch.diff, or with a patch said to be empty",
		Missing:     "no_patch, artifact_missing",
		Misleads:    "generated and moved files swell it; small is not better",
		Reads:       []string{PatchFile, EventRunFinished.Name}}
}

// What became of the agent's changes.
var (
	// PatchApplied says whether the patch applied.
	PatchApplied = Metric{Name: "patch_applied", Heading: "patch applied", Group: groupEditing,
		Kind: KindRate, Type: TypeInteger, Direction: HigherBetter, Level: LevelRun,
		Definition:  "whether the evaluation could apply the patch, after all attempts; without an evaluation, whether the last edit was applied",
		Denominator: "included runs for which either is recorded",
		Missing:     "not_recorded",
		Misleads:    "an empty patch is not recorded here: see patch_state",
		Reads:       []string{DocumentTestResults.Name, EventEdit.Name},
		Companions:  []Companion{{Name: "patch_applied_from", Type: TypeText, Doc: "test_results where the evaluation says, events where only the last edit does"}}}
	// EditSuccess is the share of edits that applied.
	EditSuccess = Metric{Name: "edit_success", Heading: "edit success", Group: groupEditing,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: LevelRun,
		Definition:  "edits that were applied / edits",
		Denominator: "included runs with an edit",
		Missing:     "no_edit; " + missingWhere(&NotRecordedEdit),
		Misleads:    "an edit that applies may be wrong",
		Reads:       []string{DocumentManifest.Name, EventEdit.Name}}
	// SyntaxOK says whether the code parsed when last checked.
	SyntaxOK = checkOK("syntax_ok", "syntax ok", "whether the last syntax check passed: a test_run of kind syntax, or an edit's own check", EventTestRun.Name, EventEdit.Name)
	// LintOK says whether the last lint run passed.
	LintOK = checkOK("lint_ok", "lint ok", "whether the last test_run of kind lint has exit status 0", EventTestRun.Name)
	// BuildOK says whether the last build passed.
	BuildOK = checkOK("build_ok", "build ok", "whether the last test_run of kind build has exit status 0", EventTestRun.Name)
	// PatchFiles counts the files that the patch changes.
	PatchFiles = patchSize("patch_files", "files", "files")
	// PatchHunks counts the patch's hunks.
	PatchHunks = patchSize("patch_hunks", "hunks", "hunks")
	// PatchLinesAdded counts the lines that the patch adds.
	PatchLinesAdded = patchSize("patch_lines_added", "lines added", "added lines")
	// PatchLinesRemoved counts the lines that the patch removes.
	PatchLinesRemoved = patchSize("patch_lines_removed", "lines removed", "removed lines")
)

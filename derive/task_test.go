package derive

import (
	"slices"
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestMergeTask(t *testing.T) {
	known := &schema.Task{ID: "t", Difficulty: schema.Some("hard"), Language: schema.Some("go"), Gold: goldFiles("a")}
	run := &schema.Task{ID: "t", Difficulty: schema.Some("easy"), StatementTokens: schema.Some[int64](3), Gold: &schema.Gold{
		Files: []schema.GoldFile{{Path: "b"}}, Docs: []schema.GoldDoc{}}}
	have, conflicts := MergeTask(known, run)
	if have.Difficulty.Or("") != "hard" || have.Language.Or("") != "go" || have.StatementTokens.Or(0) != 3 {
		t.Errorf("have %+v: what is known counts, the run fills the rest", have)
	}
	if !slices.Equal(have.Gold.Files, known.Gold.Files) || have.Gold.Docs == nil || have.Gold.Functions != nil {
		t.Errorf("gold: have %+v", have.Gold)
	}
	want := []TaskConflict{{"difficulty", "easy", "hard"}, {"gold/files", "a list of 1", "the list of 1"}}
	if !slices.Equal(conflicts, want) {
		t.Errorf("conflicts: have %v, want %v", conflicts, want)
	}
	if again, conflicts := MergeTask(known, known); len(conflicts) > 0 || again.Gold.Files == nil {
		t.Errorf("a task contradicts itself: %v", conflicts)
	}
}

// tasks.jsonl fills what the run left out, and what contradicts it is reported.
func TestTaskBesideTheRun(t *testing.T) {
	rows := taskBesideTrace().derive()
	if have := rows.Run.Difficulty.Or(""); have != "hard" {
		t.Errorf("difficulty: have %q, want hard", have)
	}
	wants(t, rows, map[string]string{"file_recall_at_3": "1", "file_recall_at_1": "0", "first_gold_reached": "1"})
	if have := codes(rows); !slices.Equal(have, []string{"task_conflict:info:1"}) {
		t.Errorf("findings: have %v, want task_conflict", have)
	}
	if f := rows.Findings[0]; f.Have != "easy" || f.Pointer != "/data/task/difficulty" {
		t.Errorf("have %+v", f)
	}
}

func TestCloneTask(t *testing.T) {
	text := []byte("abc")
	task := schema.Task{ID: string(text), Repo: schema.Some("r"), Gold: &schema.Gold{
		Files: []schema.GoldFile{{Path: "p"}}, Functions: []schema.GoldFunction{{File: "f", Symbol: schema.Some("s")}}}}
	clone := CloneTask(&task)
	if _, conflicts := MergeTask(&task, &clone); len(conflicts) > 0 || clone.ID != "abc" {
		t.Errorf("the clone differs: %v", conflicts)
	}
	clone.Gold.Files[0].Path = "other"
	if task.Gold.Files[0].Path != "p" {
		t.Error("the clone shares its lists")
	}
}

package githistory

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/eval/symbols"
)

// noFunctions lists the extensions and names of formats that hold no functions, so that a change of code together
// with its documentation still has complete gold. A changed file of any other format that is not read makes the
// functions of the task missing.
var noFunctions = []string{
	".md", ".rst", ".txt", ".adoc", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".xml", ".csv", ".tsv", ".lock", ".sum", ".mod",
	".ini", ".cfg", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".ico", ".pdf", ".gitignore", ".gitattributes", ".editorconfig",
	"license", "notice", "authors", "changelog", "readme", "codeowners",
}

func holdsNoFunctions(file string) bool {
	base := strings.ToLower(path.Base(file))
	return slices.Contains(noFunctions, base) || slices.Contains(noFunctions, path.Ext(base))
}

// addFunctions fills in which functions of base each task's commit changed.
func addFunctions(ctx context.Context, repo *repository, tasks []Task, entries []Entry) error {
	byPath := map[string]Entry{}
	for _, e := range entries {
		byPath[compared(e.Path)] = e
	}
	outlines, err := readOutlines(ctx, repo, tasks, byPath)
	if err != nil {
		return err
	}
	for i := range tasks {
		if err := changedFunctions(ctx, repo, &tasks[i], byPath, outlines); err != nil {
			return err
		}
	}
	return nil
}

// readOutlines parses, once each, the files of base that any task has in its gold.
func readOutlines(ctx context.Context, repo *repository, tasks []Task, byPath map[string]Entry) (map[string]symbols.Outline, error) {
	var files []string
	for _, task := range tasks {
		for _, file := range task.Gold {
			if e := byPath[file]; symbols.Readable(file) && e.Kind != Link {
				files = append(files, file)
			}
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	ids := make([]string, len(files))
	for i, file := range files {
		ids[i] = byPath[file].ID
	}
	reader := symbols.NewReader()
	defer reader.Close()
	outlines := map[string]symbols.Outline{}
	err := repo.objects(ctx, ids, func(i int, source []byte) error {
		if outline, ok := reader.Read(files[i], source); ok {
			outlines[files[i]] = outline
		}
		return nil
	})
	return outlines, err
}

// changedFunctions fills in one task. The lines that the commit changed are lines of its parent; they are carried
// back to base through what happened in between, and a line that base did not have changes no function of base.
func changedFunctions(ctx context.Context, repo *repository, task *Task, byPath map[string]Entry, outlines map[string]symbols.Outline) error {
	var read, paths []string
	for _, file := range task.Gold {
		if _, ok := outlines[file]; ok {
			read, paths = append(read, file), append(paths, byPath[file].Path)
		} else if !holdsNoFunctions(file) {
			return nil
		}
	}
	if len(read) == 0 || task.Parent == "" {
		return nil
	}
	changed, err := hunksBetween(ctx, repo, task.Parent, task.ID, paths)
	if err != nil {
		return err
	}
	before := map[string][]hunk{}
	if task.Parent != task.Base {
		if before, err = hunksBetween(ctx, repo, task.Base, task.Parent, paths); err != nil {
			return err
		}
	}
	for i, file := range read {
		functions, ok := touched(file, outlines[file], changed[paths[i]], before[paths[i]])
		if !ok {
			task.Functions = nil
			return nil
		}
		task.Functions = append(task.Functions, functions...)
	}
	slices.SortFunc(task.Functions, compareFunctions)
	task.FunctionsKnown = true
	return nil
}

func hunksBetween(ctx context.Context, repo *repository, from, to string, paths []string) (map[string][]hunk, error) {
	text, err := repo.patch(ctx, from, to, paths)
	if err != nil {
		return nil, err
	}
	return parsePatch(text)
}

// touched lists the innermost functions of one file that hold a changed line, or an insertion between two of their
// lines; false where the parser was lost at a changed line.
func touched(file string, outline symbols.Outline, changed, before []hunk) ([]Function, bool) {
	var functions []Function
	for _, h := range changed {
		first, last, step := h.oldStart, h.oldStart+h.oldCount-1, 0
		if h.oldCount == 0 {
			last, step = first, 1 // the place between line first and the next
		}
		for line := first; line <= last; line++ {
			a, okA := oldLine(before, line)
			b, okB := oldLine(before, line+step)
			if !okA || !okB {
				continue
			}
			if slices.ContainsFunc(outline.Lost, func(s symbols.Span) bool { return a <= s.End && b >= s.Start }) {
				return nil, false
			}
			if d, ok := outline.Innermost(a, b); ok {
				functions = append(functions, Function{file, d.Name, d.StartLine, d.EndLine})
			}
		}
	}
	slices.SortFunc(functions, compareFunctions)
	return slices.Compact(functions), true
}

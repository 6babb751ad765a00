package githistory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/assay-bench/assay/eval/bm25"
	"github.com/assay-bench/assay/eval/symbols"
)

// The built-in tools. They are honest baselines, not products: each is one idea in its plain form.
const (
	// PathTool ranks files by the query's words in their paths.
	PathTool = "path"
	// BM25Tool ranks files by the query's words in their contents.
	BM25Tool = "bm25"
	// SymbolTool ranks files by the query's words in the names that they define.
	SymbolTool = "symbol"
	// CochangeTool ranks files by the earlier commits that changed them under a similar subject, and the files
	// that changed together with those.
	CochangeTool = "cochange"
	// HybridTool fuses the four above by their ranks.
	HybridTool = "hybrid"
	// PopularTool ranks files by their number of earlier commits, whatever is asked: a tool below it has found nothing.
	PopularTool = "popular"
)

// Builtins lists the built-in tools in the order of every report.
var Builtins = []string{PathTool, BM25Tool, SymbolTool, CochangeTool, HybridTool, PopularTool}

const (
	// maxIndexedBytes is the size above which a file is not indexed by content: it holds data, not text.
	maxIndexedBytes = 4 << 20
	// binaryProbeBytes is how far a file is searched for a NUL byte, which makes it binary, as git does.
	binaryProbeBytes = 8000
	// fusionConstant is k of reciprocal rank fusion: G. Cormack, C. Clarke, S. Büttcher, "Reciprocal Rank Fusion
	// outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009, which fixed it at 60.
	fusionConstant = 60
	// fusionDepth is how many results of each list are fused.
	fusionDepth = 100
)

// ranker is the idea of one built-in tool: at most limit hits, best first.
type ranker func(query string, limit int) []Hit

// builtinTool makes a Tool of a ranker. Its answer, as it is counted, is one path a line.
type builtinTool struct {
	rank ranker
}

// Search ranks at once; there is nothing to wait for.
func (b builtinTool) Search(ctx context.Context, q Query) (Answer, error) {
	if err := context.Cause(ctx); err != nil {
		return Answer{}, err
	}
	start := time.Now()
	call := Call{Text: q.Text, Hits: b.rank(q.Text, q.Limit), Status: StatusOK}
	call.Elapsed = time.Since(start)
	for _, hit := range call.Hits {
		call.Bytes += len(hit.File) + len("\n")
	}
	return single(call), nil
}

// Close has nothing to end.
func (b builtinTool) Close() error { return nil }

// baselines are the built-in tools over one snapshot, and what was counted while its files were read for them.
type baselines struct {
	files    []string       // by number, in git's order
	defined  []definitions  // by number of the file
	whole    map[string]int // bytes of a file
	packed   map[string]int // bytes of its outline
	lines    int            // lines of all text files
	language string         // the one with most files; empty where none is read
	rankers  map[string]ranker
	build    map[string]time.Duration // how long each tool's index took
}

// newBaselines reads the snapshot once and builds the indexes. It does so before any outside tool has run, so
// that nothing but the tree of base is in them.
func newBaselines(ctx context.Context, s *snapshot, jobs int) (*baselines, error) {
	b := &baselines{
		rankers: map[string]ranker{}, build: map[string]time.Duration{}, defined: make([]definitions, len(s.entries)),
	}
	for _, e := range s.entries {
		b.files = append(b.files, compared(e.Path))
	}
	contents := bm25.New()
	var contentsTime time.Duration
	group, groupCtx := errgroup.WithContext(ctx)
	start := time.Now()
	group.Go(func() error {
		defer func() { contentsTime = time.Since(start) }()
		return b.indexContents(groupCtx, s, contents)
	})
	counted := make([]count, len(s.entries))
	for worker := range jobs {
		group.Go(func() error { return b.readOutlines(groupCtx, s, worker, jobs, counted) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	outlinesTime := time.Since(start)
	b.sum(s, counted)
	b.add(PathTool, 0, b.pathRanker)
	b.add(BM25Tool, contentsTime, func() ranker { return b.indexRanker(contents) })
	b.add(SymbolTool, outlinesTime, b.symbolRanker)
	b.add(CochangeTool, 0, func() ranker { return cochangeRanker(s.past) })
	b.add(PopularTool, 0, func() ranker { return popularRanker(s.past) })
	fused := []string{PathTool, BM25Tool, SymbolTool, CochangeTool}
	b.add(HybridTool, b.build[PathTool]+b.build[BM25Tool]+b.build[SymbolTool]+b.build[CochangeTool], func() ranker { return b.hybridRanker(fused) })
	for _, name := range []string{SymbolTool, HybridTool} {
		b.rankers[name] = b.defining(b.rankers[name])
	}
	return b, nil
}

// add makes a tool and notes how long that took on top of what was read for it.
func (b *baselines) add(name string, read time.Duration, make func() ranker) {
	start := time.Now()
	b.rankers[name] = make()
	b.build[name] = read + time.Since(start)
}

// pathRanker ranks files by the words of their paths.
func (b *baselines) pathRanker() ranker {
	paths := bm25.New()
	for _, file := range b.files {
		paths.Add([]byte(file))
	}
	return b.indexRanker(paths)
}

// eachText hands over the contents of the regular text files of a snapshot whose turn it is. No link is followed.
func eachText(ctx context.Context, s *snapshot, mine func(i int) bool, maxBytes int, each func(i int, text []byte)) error {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	var buffer bytes.Buffer
	for i, e := range s.entries {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if e.Kind == Link || !mine(i) || s.sizes[compared(e.Path)] > maxBytes {
			continue
		}
		file, err := root.Open(filepath.FromSlash(e.Path))
		if err != nil {
			return err
		}
		buffer.Reset()
		_, err = io.Copy(&buffer, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		text := buffer.Bytes()
		if bytes.IndexByte(text[:min(len(text), binaryProbeBytes)], 0) < 0 {
			each(i, text)
		}
	}
	return nil
}

// indexContents adds every file under its own number; what is not text is an empty document.
func (b *baselines) indexContents(ctx context.Context, s *snapshot, index *bm25.Index) error {
	next := 0
	fill := func(until int) {
		for ; next < until; next++ {
			index.Add()
		}
	}
	err := eachText(ctx, s, func(int) bool { return true }, maxIndexedBytes, func(i int, text []byte) {
		fill(i)
		index.Add(text)
		next++
	})
	fill(len(s.entries))
	return err
}

// count is what the text of one file adds up to.
type count struct {
	lines, outlineBytes int
	text                bool
}

// readOutlines parses and counts the files of one worker.
func (b *baselines) readOutlines(ctx context.Context, s *snapshot, worker, workers int, counted []count) error {
	reader := symbols.NewReader()
	defer reader.Close()
	mine := func(i int) bool { return i%workers == worker }
	return eachText(ctx, s, mine, maxIndexedBytes, func(i int, text []byte) {
		outline, _ := reader.Read(b.files[i], text)
		b.defined[i] = compact(outline)
		counted[i] = count{text: true, lines: bytes.Count(text, []byte("\n")), outlineBytes: outlineBytes(outline, text)}
	})
}

// outlineLines is how many lines stand for a file without definitions.
const outlineLines = 40

// outlineBytes is the size of the first lines of a file's definitions, or of its first lines where it has none.
func outlineBytes(outline symbols.Outline, text []byte) int {
	wanted := map[int]bool{}
	for _, d := range outline.Definitions {
		wanted[d.StartLine] = true
	}
	size, number := 0, 0
	for line := range bytes.Lines(text) {
		number++
		if wanted[number] || len(wanted) == 0 && number <= outlineLines {
			size += len(line)
		}
	}
	return size
}

// sum adds up what the workers counted.
func (b *baselines) sum(s *snapshot, counted []count) {
	b.packed, b.whole = map[string]int{}, s.sizes
	languages := map[string]float64{}
	for i, c := range counted {
		b.lines += c.lines
		b.packed[b.files[i]] = s.sizes[b.files[i]]
		if c.text {
			b.packed[b.files[i]] = c.outlineBytes
		}
		if name, ok := symbols.LanguageOf(b.files[i]); ok {
			languages[name]++
		}
	}
	if most := ranked(languages); len(most) > 0 {
		b.language = most[0].File
	}
}

// indexRanker ranks the documents of an index whose numbers are those of the files.
func (b *baselines) indexRanker(index *bm25.Index) ranker {
	return func(query string, limit int) []Hit {
		var hits []Hit
		for _, result := range index.Search(query, limit) {
			hits = append(hits, Hit{File: b.files[result.Document], Known: true, Score: result.Score, HasScore: true})
		}
		return hits
	}
}

// symbolRanker ranks files by the names that they define.
func (b *baselines) symbolRanker() ranker {
	index := bm25.New()
	var names []byte
	for _, defined := range b.defined {
		names = names[:0]
		for name := range defined.all() {
			names = append(append(names, name...), '\n')
		}
		index.Add(names)
	}
	return b.indexRanker(index)
}

// defining names, for every file that a ranker found, the definition that shares most words with the query.
func (b *baselines) defining(rank ranker) ranker {
	numbers := map[string]int{}
	for i, file := range b.files {
		numbers[file] = i
	}
	return func(query string, limit int) []Hit {
		hits := rank(query, limit)
		asked := wordSet(query)
		for i := range hits {
			if name, lines, ok := bestDefinition(b.defined[numbers[hits[i].File]], asked); ok {
				hits[i].Symbol, hits[i].StartLine, hits[i].EndLine = name, int(lines.firstLine), int(lines.lastLine)
			}
		}
		return hits
	}
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	bm25.Words([]byte(text), func(word []byte) { set[string(word)] = true })
	return set
}

// bestDefinition has the most distinct words of the query in its name; of equals the one with fewer other words,
// then the first.
func bestDefinition(defined definitions, asked map[string]bool) (best string, lines definitionSpan, ok bool) {
	bestShared, bestOther := 0, 0
	for name, at := range defined.all() {
		shared, rest := 0, 0
		for word := range wordSet(name) {
			if asked[word] {
				shared++
			} else {
				rest++
			}
		}
		if shared > bestShared || shared == bestShared && shared > 0 && rest < bestOther {
			best, lines, bestShared, bestOther = name, at, shared, rest
		}
	}
	return best, lines, bestShared > 0
}

// popularRanker ranks by the number of earlier commits, ties by path.
func popularRanker(history []past) ranker {
	counts := map[string]float64{}
	for _, commit := range history {
		for _, file := range commit.files {
			counts[file]++
		}
	}
	all := ranked(counts)
	return func(_ string, limit int) []Hit { return slices.Clone(all[:min(limit, len(all))]) }
}

// ranked orders files by score, best first, ties by path.
func ranked(scores map[string]float64) []Hit {
	hits := make([]Hit, 0, len(scores))
	for file, score := range scores {
		hits = append(hits, Hit{File: file, Known: true, Score: score, HasScore: true})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.File, b.File))
	})
	return hits
}

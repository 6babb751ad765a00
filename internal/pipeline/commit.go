package pipeline

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A ShardManifest says what a shard made.
type ShardManifest struct {
	// Shard is the shard's place, from 0.
	Shard int `json:"shard"`
	// Files are its tables.
	Files []dataset.File `json:"files"`
	// InputsSHA256 is the hash of the list of its inputs.
	InputsSHA256 string `json:"inputs_sha256"`
	// Included counts its runs that are included.
	Included int64 `json:"included"`
	// Excluded counts its other runs.
	Excluded int64 `json:"excluded"`
	// InputBytes is the size of the files read.
	InputBytes int64 `json:"input_bytes"`
	// ContractVersions are the versions of the manifests read, sorted.
	ContractVersions []string `json:"contract_versions"`
	// Findings counts its findings, in the order of the codes.
	Findings []findingCount `json:"findings"`
	// Reasons counts its excluded runs.
	Reasons []ReasonCount `json:"reasons"`
}

// A findingCount is a CodeCount by name.
type findingCount struct {
	// Code is the finding code.
	Code string `json:"code"`
	// Severity is the severity that the findings have.
	Severity schema.Severity `json:"severity"`
	// Count is their number.
	Count int64 `json:"count"`
}

// The files of a shard beside its tables.
const (
	shardFile  = "shard.json"
	inputsFile = "inputs.jsonl"
)

func shardFolder(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("shard-%05d", i)) }

// commit checks that every shard is there as it says, and turns the staging
// folder into a dataset. It returns the lineage.
func commit(ctx context.Context, p *Plan, s *dataset.Staging) (*dataset.Lineage, *Summary, error) {
	l := &dataset.Lineage{
		SchemaVersion: dataset.Version, CodeRevision: p.options.CodeRevision, CreatedAt: p.options.CreatedAt,
		Options: p.options.Options, Counts: p.counts, Factors: p.factors, Experiments: append([]dataset.Experiment{}, p.folders...),
	}
	sum := &Summary{Inferred: p.inferred()}
	files, err := gatherShards(p, s.Dir, l, sum)
	if err != nil {
		return nil, nil, err
	}
	if err := l.Counts.Check(); err != nil {
		return nil, nil, err
	}
	own, err := p.writeOwnTables(ctx, s.Dir)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, own...)
	digest := dataset.NewInputDigest(l.Experiments)
	for in, err := range shardInputs(s.Dir, len(p.shards)) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, nil, err
		}
		digest.AddText(in)
	}
	l.InputRunsSHA256 = digest.Sum()
	l.DatasetID = dataset.ID(l.SchemaVersion, l.CodeRevision, l.Options, l.InputRunsSHA256)
	if l.Files, err = stampFiles(ctx, p.options.workers(), s.Dir, l, files); err != nil {
		return nil, nil, err
	}
	if err := writeDescriptions(s.Dir, p, l); err != nil {
		return nil, nil, err
	}
	sum.DatasetID, sum.Counts = l.DatasetID, l.Counts
	for _, f := range l.Files {
		sum.Rows += f.Rows
	}
	return l, sum, nil
}

// gatherShards checks each shard's files, adds up what the shards counted, and
// moves the files to their places.
func gatherShards(p *Plan, dir string, l *dataset.Lineage, sum *Summary) ([]dataset.File, error) {
	var files []dataset.File
	for i := range p.shards {
		folder := shardFolder(dir, i)
		m, err := readShard(folder, i)
		if err != nil {
			return nil, err
		}
		for _, f := range m.Files {
			if err := checkFile(filepath.Join(folder, f.Path), f.SHA256); err != nil {
				return nil, err
			}
			from := filepath.Join(folder, f.Path)
			f.Path = filePath(f.Table, i, len(p.shards))
			to := filepath.Join(dir, filepath.FromSlash(f.Path))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(from, to)); err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		if err := checkFile(filepath.Join(folder, inputsFile), m.InputsSHA256); err != nil {
			return nil, err
		}
		l.Counts.Included += m.Included
		l.Counts.Excluded += m.Excluded
		l.ContractVersions = append(l.ContractVersions, m.ContractVersions...)
		sum.InputBytes += m.InputBytes
		sum.addShard(m)
	}
	slices.Sort(l.ContractVersions)
	l.ContractVersions = slices.Compact(l.ContractVersions)
	return files, nil
}

// filePath is a table's file: one file of its name, or a part in a folder of its
// name where there are several shards.
func filePath(table string, shard, shards int) string {
	if shards == 1 {
		return table + parquetSuffix
	}
	return fmt.Sprintf("%s/part-%05d%s", table, shard, parquetSuffix)
}

func checkFile(path, want string) error {
	have, _, err := dataset.HashFile(path)
	if err == nil && have != want {
		err = fmt.Errorf("%s: have SHA-256 %s, want %s", path, have, want)
	}
	return err
}

func readShard(folder string, i int) (*ShardManifest, error) {
	path := filepath.Join(folder, shardFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := new(ShardManifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Shard != i {
		return nil, fmt.Errorf("%s: shard: have %d, want %d", path, m.Shard, i)
	}
	return m, nil
}

// shardInputs are the texts of the inputs of all shards, in order, read from disk
// one by one. A text is overwritten by the next.
func shardInputs(dir string, shards int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := range shards {
			more, err := readInputs(filepath.Join(shardFolder(dir, i), inputsFile), yield)
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// readInputs visits the lines of a file, and reports whether to go on behind it.
func readInputs(path string, yield func([]byte, error) bool) (more bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxInputText)
	for lines.Scan() {
		if !yield(lines.Bytes(), nil) {
			return false, nil
		}
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

// maxInputText is far beyond what one directory's path and files take.
const maxInputText = 64 << 20

// stampFiles writes into each file which dataset it belongs to, some at once, and
// lists the files by table.
func stampFiles(ctx context.Context, workers int, dir string, l *dataset.Lineage, files []dataset.File) ([]dataset.File, error) {
	slices.SortStableFunc(files, func(a, b dataset.File) int {
		return cmp.Compare(tablePlace(a.Table), tablePlace(b.Table))
	})
	stamped := make([]dataset.File, 0, len(files))
	err := ordered(ctx, workers, len(files), func(i int) (f dataset.File, err error) {
		f = files[i]
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := dataset.Stamp(path, fileMetadata(l, f.Table)); err != nil {
			return f, err
		}
		f.SHA256, f.Bytes, err = dataset.HashFile(path)
		return f, err
	}, func(_ int, f dataset.File) error {
		stamped = append(stamped, f)
		return nil
	})
	return stamped, err
}

// tablePlace is the place of a table in the list of tables.
func tablePlace(name string) int {
	return slices.IndexFunc(schema.Tables, func(t *schema.Table) bool { return t.Name == name })
}

// fileMetadata is what a table's file says of its dataset.
func fileMetadata(l *dataset.Lineage, table string) map[string]string {
	metadata := l.Metadata(table)
	if schema.Tables[tablePlace(table)].Factors {
		for _, f := range l.Factors {
			metadata[f.FactorMetadata()] = f.Name
		}
	}
	return metadata
}

// writeDescriptions writes what is not Parquet and removes the shards' folders.
func writeDescriptions(dir string, p *Plan, l *dataset.Lineage) error {
	f, err := os.Create(filepath.Join(dir, dataset.LineageFile))
	if err != nil {
		return err
	}
	if err := errors.Join(dataset.WriteLineage(f, l, shardInputs(dir, len(p.shards))), f.Close()); err != nil {
		return err
	}
	for i := range p.shards {
		if err := os.RemoveAll(shardFolder(dir, i)); err != nil {
			return err
		}
	}
	return errors.Join(
		dataset.WriteReadme(dir, l, p.columns),
		dataset.WriteCroissant(dir, l, p.columns),
		dataset.WriteSums(dir),
	)
}

// addShard adds what a shard counted to the summary.
func (s *Summary) addShard(m *ShardManifest) {
	for _, f := range m.Findings {
		code, ok := schema.FindingCodeByName(f.Code)
		if !ok {
			panic("pipeline: a shard counts an unknown finding " + f.Code)
		}
		s.addFindings(CodeCount{code, f.Severity, f.Count})
	}
	for _, r := range m.Reasons {
		i := slices.IndexFunc(s.Excluded, func(have ReasonCount) bool { return have.Reason == r.Reason })
		if i < 0 {
			s.Excluded = append(s.Excluded, r)
		} else {
			s.Excluded[i].Count += r.Count
		}
	}
	slices.SortFunc(s.Excluded, compareReasons)
}

func (s *Summary) addFindings(c CodeCount) {
	for i, have := range s.Findings {
		if have.Code == c.Code && have.Severity == c.Severity {
			s.Findings[i].Count += c.Count
			return
		}
	}
	s.Findings = append(s.Findings, c)
}

func compareReasons(a, b ReasonCount) int { return strings.Compare(a.Reason, b.Reason) }

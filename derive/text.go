package derive

import (
	"strings"

	"github.com/assay-bench/assay/schema"
)

// chunk is the size of the blocks that kept text is copied into.
const chunk = 1 << 15

// texts copies text that must outlive its event. Text that stands for one event
// only is packed into blocks; names that come again and again are kept once.
type texts struct {
	block strings.Builder
	names map[string]string
}

// maxNames bounds the names that are remembered from run to run.
const maxNames = 1 << 15

func (t *texts) start() {
	if t.names == nil || len(t.names) > maxNames {
		t.names = map[string]string{}
	}
}

// keep copies s.
func (t *texts) keep(s string) string {
	if s == "" {
		return ""
	}
	if len(s) > chunk/8 {
		return strings.Clone(s)
	}
	if t.block.Cap()-t.block.Len() < len(s) {
		t.block = strings.Builder{}
		t.block.Grow(chunk)
	}
	at := t.block.Len()
	t.block.WriteString(s)
	return t.block.String()[at:]
}

// name returns the one copy of s.
func (t *texts) name(s string) string {
	if kept, ok := t.names[s]; ok {
		return kept
	}
	kept := strings.Clone(s)
	t.names[kept] = kept
	return kept
}

func (t *texts) keepOpt(o schema.Opt[string]) schema.Opt[string] {
	if s, ok := o.Get(); ok {
		return schema.Some(t.keep(s))
	}
	return o
}

func (t *texts) nameOpt(o schema.Opt[string]) schema.Opt[string] {
	if s, ok := o.Get(); ok {
		return schema.Some(t.name(s))
	}
	return o
}

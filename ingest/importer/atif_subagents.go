package importer

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// subagents appends the trajectories that a step refers to, once each.
func (w *walker) subagents(p *part, step *atifStep, who agentName) error {
	if step.Observation == nil {
		return nil
	}
	for _, r := range step.Observation.Results {
		for _, ref := range r.Subagent {
			if err := w.subagent(p, ref, who); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) subagent(p *part, ref atifRef, who agentName) error {
	name := present(ref.TrajectoryID)
	if !name.Has() {
		name = present(ref.SessionID)
	}
	if !name.Has() {
		name = present(ref.Path)
	}
	sub := agentName{name, parentName(p, who)}
	for i := range p.doc.Subagents {
		l := &p.doc.Subagents[i]
		if id := present(l.value.TrajectoryID); id.Has() && id == ref.TrajectoryID {
			return w.embedded(p, l, who)
		}
	}
	path, ok := present(ref.Path).Get()
	if !ok {
		w.lost = true
		w.s.report.missing(p.text.file.rel, name.Or("a sub-agent without a name"))
		return nil
	}
	f, ok := w.s.referred(p.text.file, path)
	if !ok {
		w.lost = true
		w.s.report.missing(p.text.file.rel, path)
		return nil
	}
	if w.visited[f.abs] {
		return nil
	}
	w.visited[f.abs] = true
	if ok, err := w.s.claim(f, path); err != nil || !ok {
		w.lost = true
		return err
	}
	c, err := w.s.loadChain(f)
	var d *damage
	if errors.As(err, &d) {
		w.lost = true
		w.s.report.leaveOut(d.place, d.reason)
		return nil
	}
	if err != nil {
		return err
	}
	w.extra = append(w.extra, c.originals()...)
	return w.chain(c, sub, name.Or("")+"/")
}

// embedded appends a sub-agent's trajectory that stands inside its parent's.
func (w *walker) embedded(p *part, l *located[atifDocument], who agentName) error {
	key := fmt.Sprintf("%s\x00%d", p.text.file.abs, p.base+l.start)
	if w.visited[key] {
		return nil
	}
	w.visited[key] = true
	name := present(l.value.TrajectoryID)
	if !name.Has() {
		name = schema.Some("subagent-" + strconv.Itoa(len(w.visited)))
	}
	inner := &part{text: p.text, base: p.base + l.start, doc: &l.value}
	if err := w.s.uniqueSteps(inner); err != nil {
		return err
	}
	return w.part(inner, agentName{name, parentName(p, who)}, name.Or("")+"/")
}

// parentName names the agent that started a sub-agent.
func parentName(p *part, who agentName) schema.Opt[string] {
	return schema.Some(who.name.Or(p.doc.Agent.Name.Or("main")))
}

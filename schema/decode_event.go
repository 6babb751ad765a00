package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	simd "github.com/segmentio/asm/utf8"
)

// An EventDecoder reads lines of a trajectory. It is not safe for concurrent
// use; make one a worker.
type EventDecoder struct {
	reader
	event    Event
	head     *target
	envelope envelope
	same     beginning
	payloads []payload

	// seen holds a bit for each field of the line at hand.
	seen uint64
	// late is where data begin that stand before the type, or -1.
	late int
}

// envelope is what every line has beside its data.
type envelope struct {
	SchemaVersion string    `json:"schema_version" want:"required" form:"semver"`
	RunID         string    `json:"run_id" want:"required"`
	Seq           int64     `json:"seq" want:"required" min:"1"`
	TS            Opt[Time] `json:"ts"`
	Type          string    `json:"type" want:"required"`
}

// A payload is the decoder's own payload struct of one event type.
type payload struct {
	typ    *EventType
	target *target
	zero   func()
	// event is an empty event that points to the payload.
	event Event
	// any are the fields of which the type needs one.
	any []*Opt[string]
}

// NewEventDecoder returns a decoder for the events of the contract.
func NewEventDecoder() *EventDecoder {
	d := &EventDecoder{}
	fields := FieldsOf(&d.envelope)
	d.head = &target{}
	d.head.take(compile(reflect.ValueOf(&d.envelope).Elem(), fields))
	d.head.keys.add("data")
	for _, t := range EventTypes {
		d.payloads = append(d.payloads, newPayload(t))
	}
	return d
}

func newPayload(t *EventType) payload {
	p := payload{typ: t}
	owner := &p.event
	v := reflect.ValueOf(t.payload(owner)).Elem()
	fields := FieldsOf(v.Addr().Interface())
	f := &Field{Kind: KindObject, Fields: fields}
	p.target, p.zero = &target{field: f, shape: shapeObject}, v.SetZero
	compileObject(p.target, v, f)
	for _, key := range t.AnyOf {
		p.any = append(p.any, p.target.members[p.target.keys.find(key, -1)].dest.(*Opt[string]))
	}
	p.event.Type = t
	return p
}

// Decode reads one line. The event is nil where the line is not one JSON object;
// otherwise it holds what could be read, beside the violations. The event and
// its strings alias the line and are overwritten by the next call.
func (d *EventDecoder) Decode(line []byte) (*Event, []Violation) {
	d.reset(line)
	read := d.line() && d.end()
	if !(read && d.ascii()) && !simd.Valid(line) {
		// Text that is no UTF-8 is that before it is anything else.
		d.reset(line)
		read = d.checkUTF8()
	}
	if !read {
		return nil, d.violations()
	}
	d.event.SchemaVersion, d.event.RunID = d.envelope.SchemaVersion, d.envelope.RunID
	d.event.Seq, d.event.TS = d.envelope.Seq, d.envelope.TS
	return &d.event, d.violations()
}

// MayHoldSecret reports whether the line that was decoded may hold a secret: false
// means that RedactJSON would find none. A line with a violation may always.
func (d *EventDecoder) MayHoldSecret() bool { return d.secret || d.fault != nil || len(d.found) > 0 }

func (d *EventDecoder) line() bool {
	d.event, d.envelope = Event{}, envelope{}
	if d.peek() != '{' {
		return d.syntax("an object")
	}
	start := d.i
	d.seen, d.late = 0, -1
	if !d.fields() || d.late >= 0 && d.seen&typeBit != 0 && !d.dataAt(d.late) {
		return false
	}
	d.required(d.head, d.seen, start)
	if d.seen&(1<<dataPlace) == 0 {
		d.push("data", -1)
		d.violate(&EventSchema, start, `no key "data"`, "an object")
		d.pop()
	}
	return true
}

// fields reads the fields of the envelope and the data.
func (d *EventDecoder) fields() bool {
	base, last, learnt := len(d.keys), -1, 0
	var others map[string]bool
	more, ok := true, true
	if d.begins() {
		last, d.seen = seqPlace, begun|1<<seqPlace
		if !d.fieldAt(seqPlace, d.head.keys.plain[seqPlace], d.i) {
			return false
		}
		more, ok = d.next(base)
	} else {
		more, ok = d.open()
	}
	for more {
		i, key, at, found := d.key(&d.head.keys, last)
		switch {
		case !found:
			return false
		case i < 0:
			if others, ok = d.unique(key, at, base, others); !ok {
				return false
			}
		case d.seen&(1<<i) != 0:
			return d.duplicate(key, at)
		default:
			if i == seqPlace && d.seen == begun && len(d.keys) == base {
				learnt = d.i
			}
			last = i
			d.seen |= 1 << i
		}
		if !d.fieldAt(i, key, at) {
			return false
		}
		if more, ok = d.next(base); !ok {
			return false
		}
	}
	d.learn(learnt)
	return ok
}

// fieldAt reads the value of the field at place i, or of an unknown key.
func (d *EventDecoder) fieldAt(i int, key string, at int) (ok bool) {
	d.space()
	d.push(key, -1)
	switch {
	case i == dataPlace && d.seen&typeBit != 0:
		ok = d.data()
	case i == dataPlace:
		// The type may stand behind the data; then the data are read again.
		d.late = d.i
		ok = d.skip()
	case i >= 0:
		ok = d.decode(d.head.members[i])
	default:
		ok = d.unknown(key, at)
	}
	if ok {
		d.pop()
	}
	return ok
}

const (
	// typeBit is the bit of envelope.Type among the members seen.
	typeBit = 1 << 4
	// dataPlace is the place of the data behind the fields of the envelope.
	dataPlace = 5
)

// dataAt reads the data that stand before the type.
func (d *EventDecoder) dataAt(i int) bool {
	end := d.i
	d.i = i
	d.push("data", -1)
	ok := d.data()
	if ok {
		d.pop()
		d.i = end
	}
	return ok
}

// data reads the payload at hand by the type already read.
func (d *EventDecoder) data() bool {
	p := d.payloadOf(d.envelope.Type)
	if p == nil {
		// A type of the wrong sort was reported where it stands.
		if d.envelope.Type != "" || !d.violatedAt("/type") {
			d.path[len(d.path)-1].key = "type"
			d.violate(&UnknownEventType, d.i, strconv.Quote(excerpt([]byte(d.envelope.Type), 40)), "a type of the contract")
			d.path[len(d.path)-1].key = "data"
		}
		return d.skip()
	}
	d.event = p.event
	p.zero()
	if d.peek() != '{' {
		return d.mismatch("an object")
	}
	start := d.i
	if !d.object(p.target) {
		return false
	}
	d.anyOf(p, start)
	return true
}

func (d *EventDecoder) violatedAt(pointer string) bool {
	return slices.ContainsFunc(d.found, func(v Violation) bool { return v.Pointer == pointer })
}

func (d *EventDecoder) payloadOf(name string) *payload {
	for i := range d.payloads {
		if d.payloads[i].typ.Name == name {
			return &d.payloads[i]
		}
	}
	return nil
}

// anyOf asks for one of the keys of which the type needs one.
func (d *EventDecoder) anyOf(p *payload, at int) {
	if len(p.any) == 0 {
		return
	}
	for _, o := range p.any {
		if o.Has() {
			return
		}
	}
	d.violate(&EventSchema, at, "neither", strings.Join(p.typ.AnyOf, " or "))
}

package schema

import (
	"reflect"
	"strconv"
)

// An EventDecoder reads lines of a trajectory. It is not safe for concurrent
// use; make one a worker.
type EventDecoder struct {
	reader
	event    Event
	head     *target
	envelope envelope
	payloads []payload
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
	typ     *EventType
	target  *target
	zero    func()
	publish func(*Event)
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
	owner := new(Event)
	v := reflect.ValueOf(t.payload(owner)).Elem()
	fields := FieldsOf(v.Addr().Interface())
	f := &Field{Kind: KindObject, Fields: fields}
	p := payload{typ: t, target: &target{field: f, shape: shapeObject}, zero: v.SetZero}
	compileObject(p.target, v, f)
	// The owner's one payload pointer is copied into each event of the type.
	ov := reflect.ValueOf(owner).Elem()
	for i := range ov.NumField() {
		if ov.Field(i).Type() == v.Addr().Type() {
			p.publish = func(e *Event) { reflect.ValueOf(e).Elem().Field(i).Set(v.Addr()) }
		}
	}
	return p
}

// Decode reads one line. The event is nil where the line is not one JSON object;
// otherwise it holds what could be read, beside the violations. The event and
// its strings alias the line and are overwritten by the next call.
func (d *EventDecoder) Decode(line []byte) (*Event, []Violation) {
	d.reset(line)
	if !d.checkUTF8() || !d.line() || !d.end() {
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
	start, last, base := d.i, -1, len(d.keys)
	var seen uint64
	var others map[string]bool
	data := -1
	more, ok := d.open()
	for more {
		i, key, at, found := d.key(&d.head.keys, last)
		switch {
		case !found:
			return false
		case i < 0:
			if others, ok = d.unique(key, at, base, others); !ok {
				return false
			}
		case seen&(1<<i) != 0:
			return d.duplicate(key, at)
		default:
			last = i
			seen |= 1 << i
		}
		d.space()
		d.push(key, -1)
		switch {
		case i == dataPlace && seen&typeBit != 0:
			ok = d.data()
		case i == dataPlace:
			// The type may stand behind the data; then the data are read again.
			data = d.i
			ok = d.skip()
		case i >= 0:
			ok = d.decode(d.head.members[i])
		default:
			ok = d.unknown(key, at)
		}
		if !ok {
			return false
		}
		d.pop()
		if more, ok = d.next(base); !ok {
			return false
		}
	}
	if !ok || data >= 0 && seen&typeBit != 0 && !d.dataAt(data) {
		return false
	}
	d.required(d.head, seen, start)
	if seen&(1<<dataPlace) == 0 {
		d.push("data", -1)
		d.violate(&EventSchema, start, `no key "data"`, "an object")
		d.pop()
	}
	return true
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
		if d.envelope.Type != "" {
			d.path[len(d.path)-1].key = "type"
			d.violate(&UnknownEventType, d.i, strconv.Quote(excerpt([]byte(d.envelope.Type), 40)), "a type of the contract")
			d.path[len(d.path)-1].key = "data"
		}
		return d.skip()
	}
	d.event.Type = p.typ
	p.zero()
	p.publish(&d.event)
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
	if len(p.typ.AnyOf) == 0 {
		return
	}
	want := ""
	for i, key := range p.typ.AnyOf {
		m := p.target.members[p.target.keys.find(key, -1)]
		if o, ok := m.dest.(*Opt[string]); ok && o.Has() {
			return
		}
		if i > 0 {
			want += " or "
		}
		want += key
	}
	d.violate(&EventSchema, at, "neither", want)
}

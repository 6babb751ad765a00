package schema

import (
	"strconv"
	"strings"
)

// A reader decodes one text into targets. Faults of the text stop it; violations
// of the contract are collected, and reading goes on.
type reader struct {
	scanner
	found []Violation
	path  []step
	// secret says that a text which was read may hold a secret.
	secret bool
}

// A step is one key or index of the way to the value at hand.
type step struct {
	key   string
	index int
}

func (r *reader) reset(b []byte) {
	r.scanner.reset(b)
	r.found, r.path, r.secret = r.found[:0], r.path[:0], false
}

func (r *reader) push(key string, index int) { r.path = append(r.path, step{key, index}) }
func (r *reader) pop()                       { r.path = r.path[:len(r.path)-1] }

// pointer is the JSON pointer (RFC 6901) of the value at hand.
func (r *reader) pointer() string {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		if s.key == "" && s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
			continue
		}
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(s.key, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// suspect looks for what a secret would show by. What the contract itself fixes,
// its keys, numbers and words, needs no look.
func (r *reader) suspect(start, end int) {
	r.secret = r.secret || MayHoldSecret(r.b[start:end])
}

func (r *reader) violate(code *FindingCode, at int, have, want string) {
	r.found = append(r.found, Violation{Code: code, Offset: at, Pointer: r.pointer(), Have: have, Want: want})
}

// violations returns what was found: the fault alone where the text has one.
func (r *reader) violations() []Violation {
	if r.fault != nil {
		r.fault.Pointer = r.pointer()
		return []Violation{*r.fault}
	}
	if len(r.found) == 0 {
		return nil
	}
	return append([]Violation(nil), r.found...)
}

// mismatch records a value of the wrong type and reads over it.
func (r *reader) mismatch(want string) bool {
	start := r.i
	if !r.skip() {
		return false
	}
	r.violate(&EventSchema, start, excerpt(r.b[start:r.i], 40), want)
	return true
}

// null reads null where the field may be missing, and records it otherwise.
func (r *reader) null(f *Field) bool {
	start := r.i
	if !r.literal("null") {
		return false
	}
	if !f.Nullable {
		r.violate(&EventSchema, start, "null", f.want())
	}
	return true
}

// guesses is how many keys behind the last one are compared as they are written.
const guesses = 4

// key reads the next key of an object with its colon. The place is that among k,
// or -1. The keys that usually come next are compared as a whole first.
func (r *reader) key(k *keys, last int) (place int, key string, at int, ok bool) {
	r.space()
	at = r.i
	rest := r.b[at:]
	for i := last + 1; i < min(last+1+guesses, len(k.written)); i++ {
		if w := k.written[i]; len(rest) >= len(w) && alias(rest[:len(w)]) == w {
			r.i += len(w)
			return i, k.plain[i], at, true
		}
	}
	if key, at, ok = r.scanner.key(); !ok {
		return -1, "", at, false
	}
	return k.find(key, last), key, at, true
}

// object reads the members of t, and refuses a key that stands twice. seen holds
// a bit a member.
func (r *reader) object(t *target) bool {
	start, last, base := r.i, -1, len(r.keys)
	var seen uint64
	var others map[string]bool
	more, ok := r.open()
	for more {
		i, key, at, found := r.key(&t.keys, last)
		switch {
		case !found:
			return false
		case i < 0:
			if others, ok = r.unique(key, at, base, others); !ok {
				return false
			}
		case seen&(1<<i) != 0:
			return r.duplicate(key, at)
		default:
			last = i
			seen |= 1 << i
		}
		r.space()
		r.push(key, -1)
		if i >= 0 {
			ok = r.decode(t.members[i])
		} else {
			ok = r.unknown(key, at)
		}
		if !ok {
			return false
		}
		r.pop()
		if more, ok = r.next(base); !ok {
			return false
		}
	}
	if ok {
		r.required(t, seen, start)
	}
	return ok
}

func (r *reader) unknown(key string, at int) bool {
	if !strings.HasPrefix(key, "x_") {
		r.violate(&UnknownKey, at, "the key "+strconv.Quote(excerpt([]byte(key), 40)), "a key of the contract, or one beginning with x_")
	}
	if !r.skip() {
		return false
	}
	r.suspect(at, r.i)
	return true
}

func (r *reader) required(t *target, seen uint64, at int) {
	if seen&t.needed == t.needed {
		return
	}
	for i, m := range t.members {
		if m.field.Required && seen&(1<<i) == 0 {
			r.push(m.field.Key, -1)
			r.violate(&EventSchema, at, "no key "+strconv.Quote(m.field.Key), m.field.want())
			r.pop()
		}
	}
}

// decode reads the value at hand into t.
func (r *reader) decode(t *target) bool {
	c := r.peek()
	if c == 'n' {
		return r.null(t.field)
	}
	switch t.shape {
	case shapeObject:
		if c != '{' {
			return r.mismatch(t.field.want())
		}
		if t.present != nil {
			t.present()
		}
		return r.object(t)
	case shapeList:
		return r.list(t, c)
	case shapeMap:
		return r.openMap(t, c)
	}
	return r.scalar(t, c)
}

func (r *reader) list(t *target, c byte) bool {
	if c != '[' {
		return r.mismatch(t.field.want())
	}
	t.begin()
	return r.elements(func(n int) bool {
		r.push("", n)
		t.elem.fresh()
		before := len(r.found)
		if !r.decode(t.elem) {
			return false
		}
		if len(r.found) == before {
			t.add("")
		}
		r.pop()
		return true
	})
}

func (r *reader) openMap(t *target, c byte) bool {
	if c != '{' {
		return r.mismatch(t.field.want())
	}
	t.begin()
	from := r.i
	ok := r.members(func(key string, at int) bool {
		r.push(key, -1)
		t.elem.fresh()
		before, start := len(r.found), r.i
		if !r.decode(t.elem) {
			return false
		}
		if t.field.Names == "measurement" && len(r.found) == before {
			r.measurement(key, start)
		}
		if len(r.found) == before {
			t.add(key)
		}
		r.pop()
		return true
	})
	if ok {
		r.suspect(from, r.i)
	}
	return ok
}

// measurement holds a number to the unit at the end of its name.
func (r *reader) measurement(name string, start int) {
	raw := string(r.b[start:r.i])
	if strings.HasSuffix(name, "_bytes") && strings.ContainsAny(raw, ".eE") {
		r.violate(&EventSchema, start, excerpt([]byte(raw), 40), "an integer, as the name ends in _bytes")
		return
	}
	if _, err := strconv.ParseInt(raw, 10, 64); strings.HasSuffix(name, "_bytes") && err != nil {
		r.violate(&NumberOutOfRange, start, excerpt([]byte(raw), 40), "an integer of 64 bits")
		return
	}
	for _, unit := range []string{"_bytes", "_ms", "_tokens"} {
		if strings.HasSuffix(name, unit) && raw[0] == '-' && strings.Trim(raw, "-0.eE+") != "" {
			r.violate(&NegativeValue, start, excerpt([]byte(raw), 40), "at least 0")
			return
		}
	}
}

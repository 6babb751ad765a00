package schema_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A judge holds the decoder against two others: jsontext for the grammar, and a
// JSON Schema validator for the contract. Neither shares code with the decoder.
type judge struct {
	schemas map[string]*jsonschema.Schema
	events  *schema.EventDecoder
	decode  map[string]func([]byte) (bool, []schema.Violation)
}

func newJudge(t testing.TB) *judge {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	j := &judge{schemas: map[string]*jsonschema.Schema{}, events: schema.NewEventDecoder(), decode: map[string]func([]byte) (bool, []schema.Violation){}}
	files := schema.JSONSchemaFiles()
	for name, b := range files {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
	}
	for name := range files {
		s, err := c.Compile(name)
		if err != nil {
			t.Fatal(err)
		}
		j.schemas[strings.TrimSuffix(name, ".schema.json")] = s
	}
	j.decode[schema.DocumentManifest.Name] = documentOf[schema.Manifest](&schema.DocumentManifest)
	j.decode[schema.DocumentPlan.Name] = documentOf[schema.Plan](&schema.DocumentPlan)
	j.decode[schema.DocumentTask.Name] = documentOf[schema.Task](&schema.DocumentTask)
	j.decode[schema.DocumentTestResults.Name] = documentOf[schema.TestResults](&schema.DocumentTestResults)
	j.decode[schema.DocumentFinalMetrics.Name] = documentOf[schema.FinalMetrics](&schema.DocumentFinalMetrics)
	for _, e := range schema.EventTypes {
		j.decode["event_"+e.Name] = func(text []byte) (bool, []schema.Violation) {
			e, violations := j.events.Decode(text)
			return e != nil && len(violations) == 0, violations
		}
	}
	return j
}

func documentOf[T any](doc *schema.Document) func([]byte) (bool, []schema.Violation) {
	d := schema.NewDocumentDecoder[T](doc)
	return func(text []byte) (bool, []schema.Violation) {
		v, violations := d.Decode(text)
		return v != nil && len(violations) == 0, violations
	}
}

// check compares the decoder with the two others on one text.
func (j *judge) check(t *testing.T, kind string, text []byte) {
	t.Helper()
	accepts, violations := j.decode[kind](text)
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) || unwieldy(text) {
		return
	}
	value := jsontext.Value(bytes.Clone(text))
	valid := value.IsValid() && value.Kind() == '{'
	var reason error
	if valid {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		reason = j.schemas[kind].Validate(v)
	}
	others := valid && reason == nil
	switch {
	case accepts && !others:
		t.Errorf("%s: the decoder accepts %s, JSON valid %v, schema: %v", kind, text, valid, reason)
	case !accepts && others && !beyondSchema(violations):
		t.Errorf("%s: the decoder alone refuses %s: %v", kind, text, violations)
	}
}

// suspects holds the decoder's own look for secrets, which leaves out what the
// contract fixes, against the exact search through the whole text.
func (j *judge) suspects(t *testing.T, text []byte) (found bool) {
	t.Helper()
	_, secrets := schema.RedactJSON(text)
	if e, _ := j.events.Decode(text); e != nil && len(secrets) > 0 && !j.events.MayHoldSecret() {
		t.Errorf("the decoder suspects nothing in %s, want %v", text, secrets)
	}
	return len(secrets) > 0
}

// TestDecoderSuspectsSecrets puts secrets into every text and open object that a
// line may hold.
func TestDecoderSuspectsSecrets(t *testing.T) {
	j := newJudge(t)
	m := maker{rand.New(rand.NewPCG(11, 11))}
	with := func(text string) string {
		secret := m.pick(`"sk-0123456789abcdef01"`, `"API_KEY=hunter2"`, `"\u0041PI_KEY=hunter2"`, `"Cookie: a=b"`, `"https://u:hunter2@host/"`, `"{\"token\":\"hunter2\"}"`)
		text = strings.ReplaceAll(text, `"a"`, secret)
		text = strings.Replace(text, `{"a":{`, m.pick(`{"api_key":"hunter2","a":{`, `{"name":"X-Api-Key","value":"hunter2","a":{`, `{"a":{`), 1)
		return strings.Replace(text, `"x_own":"`, m.pick(`"x_token":"`, `"x_own":"`), 1)
	}
	found := 0
	for _, e := range schema.EventTypes {
		had := false
		for range 300 {
			if j.suspects(t, []byte(with(m.event(e)))) {
				found++
				had = true
			}
		}
		if !had {
			t.Errorf("%s: no line with a secret was drawn", e.Name)
		}
	}
	t.Logf("%d lines held secrets", found)
}

// unwieldy reports whether a text has a number so large that the validator would
// spell it out.
func unwieldy(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return false
		}
		if tok.Kind() != '0' {
			continue
		}
		_, exponent, found := strings.Cut(strings.ToLower(tok.String()), "e")
		if n, err := strconv.Atoi(exponent); found && (err != nil || n > 1000 || n < -1000) || len(tok.String()) > 1000 {
			return true
		}
	}
}

// beyondSchema reports whether every violation is of a kind that JSON Schema
// cannot say, so that the words of the contract win.
func beyondSchema(violations []schema.Violation) bool {
	for _, v := range violations {
		number, err := strconv.ParseFloat(v.Have, 64)
		switch {
		case v.Code == &schema.NumberOutOfRange, v.Code == &schema.DepthLimit:
			// Ranges of int64, of a double and of DECIMAL(18,9); nesting.
		case v.Code == &schema.EventSchema && err == nil && number == float64(int64(number)) && strings.Contains(v.Want, "integer"):
			// 1.0 and 1e3 are integers to JSON Schema.
		case v.Code == &schema.EventSchema && strings.HasPrefix(v.Want, "an RFC 3339 time"):
			// Leap seconds, and more than nine digits of a second.
		case v.Code == &schema.EventSchema && v.Want == schema.FormSemver.Want() && len(v.Have) > 18:
			// Version numbers beyond an int.
		default:
			return false
		}
	}
	return len(violations) > 0
}

// A maker draws texts that are nearly right: the keys of the contract with
// values of the right and the wrong sort.
type maker struct{ r *rand.Rand }

func (m maker) odds(n int) bool { return m.r.IntN(n) == 0 }

func (m maker) pick(list ...string) string { return list[m.r.IntN(len(list))] }

func (m maker) object(fields []schema.Field) string {
	var members []string
	for i := range fields {
		f := &fields[i]
		if f.Required && m.odds(60) || !f.Required && !m.odds(3) {
			continue
		}
		key := f.Key
		if m.odds(150) {
			key = m.pick(strings.ToUpper(key), key+"s", "x_"+key, "", `a\"b`)
		}
		members = append(members, `"`+key+`":`+m.value(f))
	}
	if m.odds(40) {
		members = append(members, m.pick(`"x_own":[1,{"a":null}]`, `"other":1`, `"x_own":"`+"\u00e4"+`"`))
	}
	m.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, m.pick(",", ",", ", ")) + "}"
}

// value draws a value of the field's sort, or, once in a while, any other.
func (m maker) value(f *schema.Field) string {
	if m.odds(40) {
		return m.pick("null", "true", "0", "-1", "1.0", "1.5", "1e3", "-0", "-0.0", "1e400", "9223372036854775807", "9223372036854775808",
			"9007199254740993", `""`, `"x"`, `"1"`, "[]", "{}", "[null]", `{"a":1}`, `"2026-01-02T03:04:05Z"`, "1e9", "0e5", `"\ud800"`)
	}
	hex := strings.Repeat("0a", 32)
	switch f.Kind {
	case schema.KindString:
		if f.Set != nil {
			return `"` + m.pick(f.Set.Words[m.r.IntN(len(f.Set.Words))].Name, f.Set.Words[0].Name) + `"`
		}
		switch f.Form {
		case schema.FormID:
			return m.pick(`"t1"`, `"t1"`, `"a.b"`, `"a."`, `"con"`, `"COM1.x"`, `"comx"`, `"-a"`)
		case schema.FormRunID:
			return `"` + hex[:32] + `"`
		case schema.FormSHA256:
			return `"` + hex + `"`
		case schema.FormCommit:
			return m.pick(`"`+hex+`"`, `"`+hex[:40]+`"`)
		case schema.FormSemver:
			return m.pick(`"1.0.0"`, `"1.0.0"`, `"1.2.0"`, `"01.0.0"`)
		}
		return m.pick(`"a"`, `""`, `"\u00e4\n"`, `"ä"`)
	case schema.KindTime:
		return m.pick(`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.123456789+09:00"`, `"2026-02-30T03:04:05Z"`, `"2026-01-02"`, "null")
	case schema.KindInteger:
		return m.pick("1", "7", "0", "3")
	case schema.KindNumber, schema.KindDecimal:
		return m.pick("1", "0.5", "1e-3", "0")
	case schema.KindBoolean:
		return m.pick("true", "false")
	case schema.KindOpen:
		return m.pick("{}", `{"a":{"b":[1,2.5,"c",null]}}`)
	case schema.KindScalar:
		return m.pick("1", `"1"`, "true", "0.5", `"12345678901234567890"`)
	case schema.KindScalars:
		return m.pick("1", `["a",2]`, "[]", "[[1]]")
	case schema.KindList:
		return m.list(f.Elem, "")
	case schema.KindMap:
		return m.list(f.Elem, m.pick(`"a":`, `"rss_bytes":`, `"cpu_ms":`, `"x_a":`))
	}
	return m.object(f.Fields)
}

// list draws an array, or the object of a map with keys of one sort.
func (m maker) list(elem *schema.Field, key string) string {
	var parts []string
	for i := range m.r.IntN(3) {
		k := key
		if key != "" && i > 0 {
			k = fmt.Sprintf(`"k%d_tokens":`, i)
		}
		parts = append(parts, k+m.value(elem))
	}
	if key != "" {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func (m maker) event(e *schema.EventType) string {
	typ := `"type":"` + e.Name + `"`
	members := []string{`"schema_version":"1.0.0"`, `"run_id":` + m.pick(`"r"`, `"r"`, `""`), `"seq":` + m.pick("1", "2", "2", "3", "0", "1.0", "-1"),
		`"ts":` + m.pick("null", `"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05Z"`, `"now"`, "5"), typ, `"data":` + m.object(e.Fields())}
	if m.odds(30) {
		members = append(members, m.pick(`"x_a":1`, `"a":1`, typ))
	}
	if m.odds(30) {
		members = append(members[:1], members[2:]...)
	}
	if m.odds(5) {
		m.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return "{" + strings.Join(members, ",") + "}"
}

// TestDecoderAgreesWithSchemas draws documents and lines, with a fixed seed.
func TestDecoderAgreesWithSchemas(t *testing.T) {
	j := newJudge(t)
	m := maker{rand.New(rand.NewPCG(7, 7))}
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	accepted, all := 0, 0
	count := func(kind, text string) {
		all++
		if ok, _ := j.decode[kind]([]byte(text)); ok {
			accepted++
		}
		j.check(t, kind, []byte(text))
	}
	for _, d := range schema.Documents {
		fields := d.Fields()
		for range rounds {
			count(d.Name, m.object(fields))
		}
	}
	for _, e := range schema.EventTypes {
		for range rounds {
			count("event_"+e.Name, m.event(e))
		}
	}
	t.Logf("%d of %d texts accepted", accepted, all)
	if accepted < all/20 || accepted > all*19/20 {
		t.Errorf("%d of %d texts accepted: the test is one-sided", accepted, all)
	}
}

// FuzzDecoderAgreesWithSchemas lets the fuzzer change bytes of such texts.
func FuzzDecoderAgreesWithSchemas(f *testing.F) {
	m := maker{rand.New(rand.NewPCG(3, 3))}
	var kinds []string
	for _, d := range schema.Documents {
		f.Add(len(kinds), []byte(m.object(d.Fields())))
		kinds = append(kinds, d.Name)
	}
	for _, e := range schema.EventTypes {
		f.Add(len(kinds), []byte(m.event(e)))
		kinds = append(kinds, "event_"+e.Name)
	}
	j := newJudge(f)
	f.Fuzz(func(t *testing.T, kind int, text []byte) {
		k := kinds[uint(kind)%uint(len(kinds))]
		// A line of another type is judged by the schema of that type.
		if e, _ := j.events.Decode(text); strings.HasPrefix(k, "event_") && e != nil && e.Type != nil {
			k = "event_" + e.Type.Name
		}
		j.check(t, k, text)
		j.suspects(t, text)
	})
}

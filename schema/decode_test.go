package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

const line = `{"schema_version":"1.0.0","run_id":"0123456789abcdef0123456789abcdef","seq":3,"ts":"2026-01-02T03:04:05.678Z","type":%q,"data":%s}`

func decode(typ, data string) (*schema.Event, []schema.Violation) {
	return schema.NewEventDecoder().Decode(fmt.Appendf(nil, line, typ, data))
}

// TestDecodeEvent holds the contract's rules for one line, a case a rule.
func TestDecodeEvent(t *testing.T) {
	tests := []struct {
		name, typ, data string
		code            *schema.FindingCode // nil: accepted
		pointer         string
		have            string
	}{
		{"only required", "tool_call", `{"call_id":"c","name":"grep","status":"ok"}`, nil, "", ""},
		{"null is missing", "tool_call", `{"call_id":"c","name":"grep","status":"ok","latency_ms":null}`, nil, "", ""},
		{"null for a required key", "tool_call", `{"call_id":null,"name":"grep","status":"ok"}`, &schema.EventSchema, "/data/call_id", "null"},
		{"required key missing", "tool_call", `{"call_id":"c","status":"ok"}`, &schema.EventSchema, "/data/name", `no key "name"`},
		{"word outside its set", "tool_call", `{"call_id":"c","name":"grep","status":"fine"}`, &schema.EventSchema, "/data/status", `"fine"`},
		{"key of another case", "tool_call", `{"Call_ID":"c","call_id":"c","name":"g","status":"ok"}`, &schema.UnknownKey, "/data/Call_ID", `the key "Call_ID"`},
		{"key of ours", "tool_call", `{"call_id":"c","name":"g","status":"ok","x_note":{"a":[1,2]}}`, nil, "", ""},
		{"text for a boolean", "edit", `{"target_paths":["a"],"applied":"yes"}`, &schema.EventSchema, "/data/applied", `"yes"`},
		{"empty list", "edit", `{"target_paths":[],"applied":true}`, nil, "", ""},
		{"wrong element", "edit", `{"target_paths":["a",2],"applied":true}`, &schema.EventSchema, "/data/target_paths/1", "2"},
		{"fraction for an integer", "retrieval_query", `{"query_id":"q","results":1.0,"status":"ok"}`, &schema.EventSchema, "/data/results", "1.0"},
		{"exponent for an integer", "retrieval_query", `{"query_id":"q","results":1e2,"status":"ok"}`, &schema.EventSchema, "/data/results", "1e2"},
		{"text for an integer", "retrieval_query", `{"query_id":"q","results":"7","status":"ok"}`, &schema.EventSchema, "/data/results", `"7"`},
		{"largest integer", "retrieval_query", `{"query_id":"q","results":9223372036854775807,"status":"ok"}`, nil, "", ""},
		{"integer beyond int64", "retrieval_query", `{"query_id":"q","results":9223372036854775808,"status":"ok"}`, &schema.NumberOutOfRange, "/data/results", "9223372036854775808"},
		{"number beyond a double", "retrieval_candidate", `{"query_id":"q","rank":1,"file":"a","score":1e999}`, &schema.NumberOutOfRange, "/data/score", "1e999"},
		{"number beyond a double where nobody looks", "tool_call", `{"call_id":"c","name":"g","status":"ok","arguments":{"n":-1e400}}`, &schema.NumberOutOfRange, "/data/arguments", "-1e400"},
		{"negative count", "retrieval_query", `{"query_id":"q","results":-1,"status":"ok"}`, &schema.NegativeValue, "/data/results", "-1"},
		{"negative score is one", "retrieval_candidate", `{"query_id":"q","rank":1,"file":"a","score":-0.5}`, nil, "", ""},
		{"rank from 1", "retrieval_candidate", `{"query_id":"q","rank":0,"file":"a"}`, &schema.EventSchema, "/data/rank", "0"},
		{"file or doc_id", "retrieval_candidate", `{"query_id":"q","rank":1}`, &schema.EventSchema, "/data", "neither"},
		{"duplicate key", "tool_call", `{"call_id":"c","call_id":"d","name":"g","status":"ok"}`, &schema.DuplicateKey, "/data", `the key "call_id" a second time`},
		{"duplicate key behind an escape", "tool_call", `{"call_id":"c","c\u0061ll_id":"d","name":"g","status":"ok"}`, &schema.DuplicateKey, "/data", `the key "call_id" a second time`},
		{"duplicate key where nobody looks", "tool_call", `{"call_id":"c","name":"g","status":"ok","arguments":{"a":1,"a":2}}`, &schema.DuplicateKey, "/data/arguments", `the key "a" a second time`},
		{"surrogate pair", "tool_call", `{"call_id":"\ud83d\ude00","name":"g","status":"ok"}`, nil, "", ""},
		{"unpaired surrogate", "tool_call", `{"call_id":"\ud800","name":"g","status":"ok"}`, &schema.InvalidUTF8, "/data/call_id", `\ud800`},
		{"control character", "tool_call", "{\"call_id\":\"a\tb\",\"name\":\"g\",\"status\":\"ok\"}", &schema.JSONSyntax, "/data/call_id", "control character 0x9"},
		{"not a number", "retrieval_candidate", `{"query_id":"q","rank":1,"file":"a","score":NaN}`, &schema.JSONSyntax, "/data/score", "NaN}}"},
		{"leading zero", "retrieval_candidate", `{"query_id":"q","rank":01,"file":"a"}`, &schema.JSONSyntax, "/data", `1,"file":"a"}}`},
		{"unknown type", "model_cal", `{}`, &schema.UnknownEventType, "/type", `"model_cal"`},
		{"empty type", "", `{}`, &schema.UnknownEventType, "/type", `""`},
		{"bytes are whole", "resource_sample", `{"scope":"index","measurements":{"rss_bytes":1.5}}`, &schema.EventSchema, "/data/measurements/rss_bytes", "1.5"},
		{"negative duration", "resource_sample", `{"scope":"index","measurements":{"index_build_ms":-2}}`, &schema.NegativeValue, "/data/measurements/index_build_ms", "-2"},
		{"hash of another form", "file_read", `{"path":"a","content_sha256":"ABC"}`, &schema.EventSchema, "/data/content_sha256", `"ABC"`},
		{"data is no object", "file_read", `[]`, &schema.EventSchema, "/data", "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, found := decode(tt.typ, tt.data)
			if tt.code == nil {
				if len(found) != 0 {
					t.Fatalf("have %+v, want no violation", found)
				}
				return
			}
			if len(found) == 0 {
				t.Fatalf("have no violation, want %s", tt.code.Name)
			}
			v := found[0]
			if v.Code != tt.code || v.Pointer != tt.pointer || v.Have != tt.have {
				t.Errorf("have %s at %s: %s, want %s at %s: %s", v.Code.Name, v.Pointer, v.Have, tt.code.Name, tt.pointer, tt.have)
			}
		})
	}
}

func TestDecodeEventTypeBehindData(t *testing.T) {
	ev, found := schema.NewEventDecoder().Decode([]byte(
		`{"data":{"path":"a/b.go","tokens":12},"type":"file_read","seq":2,"run_id":"r","schema_version":"1.0.0"}`))
	if len(found) != 0 {
		t.Fatalf("have %+v, want no violation", found)
	}
	tokens, ok := ev.FileRead.Tokens.Get()
	if ev.Type != &schema.EventFileRead || ev.FileRead.Path != "a/b.go" || tokens != 12 || !ok {
		t.Errorf("have %+v, want file_read of a/b.go with 12 tokens", ev.FileRead)
	}
	if ev.TS.Has() || ev.Seq != 2 {
		t.Errorf("have ts %v seq %d, want no ts and seq 2", ev.TS, ev.Seq)
	}
}

// TestDecodeEventReuse shows that nothing of one line is seen in the next.
func TestDecodeEventReuse(t *testing.T) {
	d := schema.NewEventDecoder()
	d.Decode(fmt.Appendf(nil, line, "model_call", `{"call_id":"a","usage":{"input_tokens":5},"cost_usd":0.25}`))
	ev, found := d.Decode(fmt.Appendf(nil, line, "model_call", `{"call_id":"b"}`))
	if len(found) != 0 || ev.ModelCall.Usage != nil || ev.ModelCall.CostUSD.Has() {
		t.Errorf("have %+v %v, want no usage and no cost", ev.ModelCall, found)
	}
}

// A line that begins as the one before is judged as if it came first.
func TestDecodeEventAfterAnother(t *testing.T) {
	const begin = `{"schema_version":"1.0.0","run_id":"r","seq":`
	const rest = `,"ts":null,"type":"file_read","data":{"path":"a"}}`
	for _, line := range []string{
		begin + "2" + rest, begin, begin + `"2"` + rest, begin + "0" + rest, begin + "null" + rest, begin + `2,"run_id":"r"` + rest, begin + `2,"seq":2` + rest,
		begin + `2,"x_a":1,"x_a":1` + rest, begin + "2} }", begin + "2}", " " + begin + "2" + rest, begin[:len(begin)-1] + " :2" + rest,
		`{"schema_version":"1.0.0","run_id":"r2","seq":2` + rest, `{"run_id":"r","schema_version":"1.0.0","seq":2` + rest,
	} {
		fresh, used := schema.NewEventDecoder(), schema.NewEventDecoder()
		for range 2 {
			if e, found := used.Decode([]byte(begin + "1" + rest)); e == nil || found != nil || e.RunID != "r" || e.SchemaVersion != "1.0.0" || e.Seq != 1 {
				t.Fatalf("have %+v, %v", e, found)
			}
		}
		want, wantFound := fresh.Decode([]byte(line))
		have, found := used.Decode([]byte(line))
		if (want == nil) != (have == nil) || !slices.Equal(wantFound, found) || want != nil && (have.Seq != want.Seq || have.RunID != want.RunID || have.Type != want.Type) {
			t.Errorf("%s: have %v, %v, want %v, %v", line, have, found, want, wantFound)
		}
	}
	// A key of one's own in the beginning is a key of each line.
	used := schema.NewEventDecoder()
	own := `{"schema_version":"1.0.0","x_a":1,"run_id":"r","seq":1`
	used.Decode([]byte(own + rest))
	if _, found := used.Decode([]byte(own + `,"x_a":1` + rest)); len(found) != 1 || found[0].Code != &schema.DuplicateKey {
		t.Errorf("have %v, want duplicate_key", found)
	}
}

func TestDecodeEventDepth(t *testing.T) {
	// The line, data, arguments and 61 arrays are 64 levels.
	nested := func(n int) string {
		return `{"call_id":"c","name":"g","status":"ok","arguments":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	if _, found := decode("tool_call", nested(61)); len(found) != 0 {
		t.Errorf("have %+v at 64 levels, want it read", found)
	}
	if _, found := decode("tool_call", nested(62)); len(found) != 1 || found[0].Code != &schema.DepthLimit {
		t.Errorf("have %+v at 65 levels, want depth_limit", found)
	}
}

func TestDecodeCost(t *testing.T) {
	tests := []struct{ json, want string }{
		{"0.1", "0.100000000"},
		{"0", "0.000000000"},
		{"1e-9", "0.000000001"},
		{"0.0000000005", "0.000000000"}, // half to even: down
		{"0.0000000015", "0.000000002"}, // half to even: up
		{"37.818533", "37.818533000"},
	}
	for _, tt := range tests {
		ev, found := decode("model_call", `{"call_id":"c","cost_usd":`+tt.json+`}`)
		if len(found) != 0 {
			t.Fatalf("%s: %+v", tt.json, found)
		}
		if got, _ := ev.ModelCall.CostUSD.Get(); got.String() != tt.want {
			t.Errorf("%s: have %s, want %s", tt.json, got, tt.want)
		}
	}
}

func TestDecodeManifest(t *testing.T) {
	const good = `{
  "schema_version": "1.0.0", "run_id": "0123456789abcdef0123456789abcdef",
  "experiment_id": "e1", "task_id": "t1", "harness_id": "h1",
  "harness_config": {"k": 5}, "model_config": {},
  "harness_config_sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  "model_config_sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  "treatment": {"retriever": "bm25", "k": 5, "rerank": true}, "seed": 7
}`
	d := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest)
	m, found := d.Decode([]byte(good))
	if len(found) != 0 {
		t.Fatalf("have %+v, want no violation", found)
	}
	if level, ok := m.Treatment.Get("retriever"); !ok || level.Text() != "bm25" || m.HarnessConfig != `{"k": 5}` {
		t.Errorf("have %+v", m)
	}
	bad := strings.Replace(good, `"k": 5}`, `"k": 9007199254740993}`, 1)
	if _, found := d.Decode([]byte(bad)); len(found) != 1 || found[0].Code != &schema.NumberOutOfRange {
		t.Errorf("have %+v, want number_out_of_range: RFC 8785 cannot tell 2^53+1 from 2^53", found)
	}
	line, col := schema.LineColumn([]byte(good), strings.Index(good, `"experiment_id"`))
	if line != 3 || col != 3 {
		t.Errorf("have %d:%d, want 3:3", line, col)
	}
}

func BenchmarkDecodeEvent(b *testing.B) {
	d := schema.NewEventDecoder()
	var lines [][]byte
	n := 0
	for i := range 20 {
		l := fmt.Appendf(nil, line, "retrieval_candidate", fmt.Sprintf(`{"query_id":"q%d","rank":%d,"file":"src/pkg/file_%d.go","score":%d.25,"symbol":"Func%d","start_line":10,"end_line":20,"tokens":120}`, i, i+1, i, i, i))
		lines = append(lines, l, fmt.Appendf(nil, line, "tool_call", `{"call_id":"c1","name":"grep","status":"ok","arguments":{"pattern":"`+strings.Repeat("some text with \\n escapes ü ", 100)+`"},"latency_ms":12.5}`))
	}
	for _, l := range lines {
		n += len(l)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			if _, v := d.Decode(l); v != nil {
				b.Fatal(v)
			}
		}
	}
}

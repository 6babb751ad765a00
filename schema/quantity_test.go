package schema

import "testing"

func TestQuantityKeepsIntegers(t *testing.T) {
	d := NewEventDecoder()
	head := `{"schema_version":"1.0.0","run_id":"r","seq":1,"ts":null,"type":"resource_sample","data":{"scope":"process","measurements":`
	for text, want := range map[string]*FindingCode{
		`{"disk_bytes":9007199254740993}`:    nil,
		`{"disk_bytes":9223372036854775807}`: nil,
		`{"disk_bytes":9223372036854775808}`: &NumberOutOfRange,
		`{"disk_bytes":1.0}`:                 &EventSchema,
		`{"disk_bytes":-1}`:                  &NegativeValue,
		`{"cpu_ms":1e400}`:                   &NumberOutOfRange,
	} {
		e, violations := d.Decode([]byte(head + text + "}}"))
		switch {
		case want == nil && len(violations) > 0:
			t.Errorf("%s: %v", text, violations)
		case want == nil:
			if n, ok := e.ResourceSample.Measurements[0].Value.Integer(); !ok || text != `{"disk_bytes":`+string(IntegerQuantity(n))+"}" {
				t.Errorf("%s became %d", text, n)
			}
		case len(violations) != 1 || violations[0].Code != want:
			t.Errorf("%s: have %v, want %s", text, violations, want.Name)
		}
	}
	if q := NumberQuantity(1500.5); q != "1500.5" || q.Number() != 1500.5 {
		t.Errorf("1500.5 became %s", q)
	}
}

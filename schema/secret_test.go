package schema

import (
	"strings"
	"testing"
	"time"
)

func TestSecretName(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "api_key": true, "apiKey": true, "API-KEY": true, "X-Api-Key": true, "access_token": true,
		"client_secret": true, "DB_PASSWORD": true, "Set-Cookie": true, "ODDVENDOR_KEY": true, "pass_word": true,
		"aws_secret_access_key": true, "key": true,
		"model_key": false, "input_tokens": false, "first_token_ms": false, "keyboard": false, "query": false,
		"max_tokens": false, "secretary": false, "": false, "-": false,
	} {
		if have := SecretName(name); have != want {
			t.Errorf("SecretName(%q) = %v, want %v", name, have, want)
		}
	}
}

// The contract's own fields must not be taken for secrets.
func TestContractNames(t *testing.T) {
	var walk func(fields []Field)
	walk = func(fields []Field) {
		for _, f := range fields {
			if SecretName(f.Key) {
				t.Errorf("the contract's field %q is taken for a secret", f.Key)
			}
			walk(f.Fields)
			if f.Elem != nil {
				walk(f.Elem.Fields)
			}
		}
	}
	for _, e := range EventTypes {
		walk(e.Fields())
	}
	for _, d := range Documents {
		walk(d.Fields())
	}
}

func TestRedact(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"JSON", `{"api_key":"hunter2","q":1}`, `{"api_key":"[secret]","q":1}`},
		{"JSON in JSON", `{\"api_key\":\"hunter2\",\"q\":1}`, `{\"api_key\":\"[secret]\",\"q\":1}`},
		{"Python", `{'password': 'hunter2'}`, `{'password': '[secret]'}`},
		{"environment", "HOME=/home/u\nODDVENDOR_KEY=hunter2\nx", "HOME=/home/u\nODDVENDOR_KEY=[secret]\nx"},
		{"environment before a command", `OPENAI_API_KEY=hunter2 ./run`, `OPENAI_API_KEY=[secret] ./run`},
		{"export", `export my_token=hunter2`, `export my_token=[secret]`},
		{"header", "Authorization: Bearer hunter2 x\r\nHost: a", "Authorization: [secret]\r\nHost: a"},
		{"header in a shell", `curl -H "Authorization: Bearer hunter2" https://a`, `curl -H "Authorization: [secret]" https://a`},
		{"header of curl -v", "> Cookie: a=b; c=d\n> x", "> Cookie: [secret]\n> x"},
		{"own header", "X-Api-Key: hunter2", "X-Api-Key: [secret]"},
		{"URL", "https://svc.example.invalid/?apikey=hunter2&q=1", "https://svc.example.invalid/?apikey=[secret]&q=1"},
		{"URL key", "https://svc.example.invalid/?key=hunter2&q=1", "https://svc.example.invalid/?key=[secret]&q=1"},
		{"URL credentials", "git clone https://me:hunter2@example.com/x", "git clone https://me:[secret]@example.com/x"},
		{"flag", "mysql --password=hunter2 db", "mysql --password=[secret] db"},
		{"several", "A_KEY=one\nB_KEY=two", "A_KEY=[secret]\nB_KEY=[secret]"},
		{"sk-", "use sk-" + strings.Repeat("a1", 12) + " now", "use [secret] now"},
		{"ghp_", "ghp_" + strings.Repeat("a1", 18), "[secret]"},
		{"AKIA", "id AKIAIOSFODNN7EXAMPLE", "id [secret]"},
		{"JWT", "t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghij", "t [secret]"},
		{"PEM", "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n[secret]\nb"},
		{"cut PEM", "-----BEGIN PRIVATE KEY-----\nMIIE", "[secret]"},
	}
	for _, c := range cases {
		have, found := Redact(c.in)
		if have != c.want || !found {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
		if !MayHoldSecret([]byte(c.in)) {
			t.Errorf("%s: the filter lets %q pass", c.name, c.in)
		}
		if again, _ := Redact(have); again != have {
			t.Errorf("%s: redacted twice it becomes %q", c.name, again)
		}
	}
}

func TestRedactLeavesAlone(t *testing.T) {
	for _, s := range []string{
		`{"model_key":"publisher/model","input_tokens":12,"first_token_ms":3}`, "max_tokens=4096", "token=12",
		"sorted(rows, key=lambda r: r.rank)", "the key is here", "for key := range m {", "key = value", "unexpected token: 'foo'",
		"if token == nil {", "api_key=os.environ", "password=$PASSWORD", "API_KEY=", "https://example.com/a:b", "scikit sk-learn",
		"monkey business", "func (s *Scanner) Token() string", "tokens: 12", "primary keys", "task-token", "a -- b", "see http://a/b?q=key",
		"-----BEGIN CERTIFICATE-----", "grep -rn apikey .", `{"password": null, "secret": 3}`, SecretText, "API_KEY=" + SecretText,
	} {
		if have, found := Redact(s); found {
			t.Errorf("%q became %q", s, have)
		}
	}
}

func TestRedactJSON(t *testing.T) {
	cases := []struct{ name, in, want, pointer string }{
		{"by name", `{"data":{"headers":{"Authorization":"Bearer x"}}}`, `{"data":{"headers":{"Authorization":"[secret]"}}}`, "/data/headers/Authorization"},
		{"inside a string", `{"request":"{\"api_key\":\"hunter2\"}"}`, `{"request":"{\"api_key\":\"[secret]\"}"}`, "/request"},
		{"a list below a name", `{"Set-Cookie":["a","b"]}`, `{"Set-Cookie":["[secret]","[secret]"]}`, "/Set-Cookie/0"},
		{"an escaped name", `{"\u0061pi_key":"hunter2"}`, `{"\u0061pi_key":"[secret]"}`, "/api_key"},
		{"a listed header", `[{"name":"X-Api-Key","value":"hunter2"}]`, `[{"name":"X-Api-Key","value":"[secret]"}]`, "/0/value"},
	}
	for _, c := range cases {
		have, secrets := RedactJSON([]byte(c.in))
		if string(have) != c.want || len(secrets) == 0 || secrets[0].Pointer != c.pointer {
			t.Errorf("%s: have %s, %v, want %s at %s", c.name, have, secrets, c.want, c.pointer)
		}
		if !MayHoldSecret([]byte(c.in)) {
			t.Errorf("%s: the filter lets %s pass", c.name, c.in)
		}
	}
	for _, s := range []string{`{"token":5}`, `{"model_key":"m"}`, `{"key":""}`, `{"a":`, `{"key":"[secret]"}`} {
		if have, secrets := RedactJSON([]byte(s)); secrets != nil || string(have) != s {
			t.Errorf("%s became %s, %v", s, have, secrets)
		}
	}
}

// A long value is spanned whole, however little of it was judged.
func TestRedactLongValues(t *testing.T) {
	long := strings.Repeat("a1b2", 4000)
	for _, s := range []string{"API_KEY=" + long, `"api_key": "` + long + `"`, "Cookie: " + long + "\n", "sk-" + long, "eyJ" + long[:80] + ".eyJ" + long, "eyJ" + long[:200] + "." + long[:200] + "." + long} {
		if have, found := Redact(s); !found || strings.Contains(have, "a1b2") {
			t.Errorf("%.20s… became %.60s…", s, have)
		}
	}
}

// Texts made to cost the square of their length cost about their length. A regular expression takes some 10 ns a
// byte, so that the square of half a million takes an hour; about the length takes a second, and the limit leaves a
// slow or busy machine a hundred times that.
func TestRedactHostileTexts(t *testing.T) {
	const size = 512 << 10
	for _, part := range []string{"key:$", "sk-", "eyJ/", "PRIVATE KEY-----", `key="$`, "token='", "Cookie:", "://a:", `\"key\":`, "-token", "key=key=", `"name":"token",`, `\\\"`} {
		s := strings.Repeat(part, size/len(part))
		start := time.Now()
		MayHoldSecret([]byte(s))
		TextSecrets(s)
		if took := time.Since(start); took > 3*time.Minute {
			t.Errorf("%q repeated to %d bytes took %v", part, size, took)
		} else if testing.Verbose() {
			t.Logf("%q: %v", part, took)
		}
	}
}

// The filter may never miss what the exact search finds.
func FuzzSecretFilter(f *testing.F) {
	for _, s := range []string{`{"api_key":"x"}`, "A_KEY=b", "Cookie: a", "?key=1", `[{"name":"token","value":"v"}]`, "://a:b@c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		spans := TextSecrets(s)
		if len(spans) > 0 && !MayHoldSecret([]byte(s)) {
			t.Errorf("the filter lets %q pass", s)
		}
		for i, p := range spans {
			if p.Start >= p.End || p.End > len(s) || i > 0 && p.Start < spans[i-1].End {
				t.Errorf("%q: places %v", s, spans)
			}
		}
		if _, secrets := RedactJSON([]byte(s)); len(secrets) > 0 && !MayHoldSecret([]byte(s)) {
			t.Errorf("the filter lets the JSON %q pass", s)
		}
	})
}

func BenchmarkMayHoldSecret(b *testing.B) {
	line := []byte(`{"schema_version":"1.0.0","run_id":"5eb4ac221e3acacf3245dfabd34a35e9","seq":2,"ts":"2026-01-02T03:04:05.678Z","type":"retrieval_candidate","data":{"query_id":"q1","rank":12,"file":"internal/pipeline/keyboard_token.go","symbol":"(*Scanner).Token","start_line":10,"end_line":42,"score":0.8123}}
{"schema_version":"1.0.0","run_id":"5eb4ac221e3acacf3245dfabd34a35e9","seq":3,"ts":"2026-01-02T03:04:05.678Z","type":"model_call","data":{"call_id":"c1","model_key":"publisher/model","usage":{"input_tokens":1200,"output_tokens":300},"latency_ms":812.5,"stop_reason":"tool_use"}}
`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if MayHoldSecret(line) {
			b.Fatal("a secret in the benchmark")
		}
	}
}

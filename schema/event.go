package schema

// An Event is one line of a trajectory: the envelope, and exactly one payload,
// the one of its type. Text in a decoded event may alias the decoder's input.
type Event struct {
	// SchemaVersion is the contract version of the line.
	SchemaVersion string
	// RunID is the run that the line belongs to.
	RunID string
	// Seq numbers the events of a run from 1.
	Seq int64
	// TS is when the event happened, or missing where the source has no times.
	TS Opt[Time]
	// Type is the event's type, or nil where a newer version named one unknown here.
	Type *EventType

	// RunStarted is the payload of a run_started event.
	RunStarted *RunStarted
	// ModelCall is the payload of a model_call event.
	ModelCall *ModelCall
	// ToolCall is the payload of a tool_call event.
	ToolCall *ToolCall
	// RetrievalQuery is the payload of a retrieval_query event.
	RetrievalQuery *RetrievalQuery
	// RetrievalCandidate is the payload of a retrieval_candidate event.
	RetrievalCandidate *RetrievalCandidate
	// FileRead is the payload of a file_read event.
	FileRead *FileRead
	// Edit is the payload of an edit event.
	Edit *Edit
	// TestRun is the payload of a test_run event.
	TestRun *TestRun
	// ResourceSample is the payload of a resource_sample event.
	ResourceSample *ResourceSample
	// RunFinished is the payload of a run_finished event.
	RunFinished *RunFinished
}

// An EventType is one kind of event. Its fields are those of its payload struct.
type EventType struct {
	// Name stands in the line's "type".
	Name string
	// Doc says what the event records.
	Doc string
	// Since is the contract version that introduced the type.
	Since string
	// AnyOf lists keys of which at least one must be present.
	AnyOf []string
	// payload returns the payload struct inside an event, made when missing.
	payload func(*Event) any
}

// The event types.
var (
	EventRunStarted = EventType{Name: "run_started", Since: "1.0.0",
		Doc:     "The first event: limits, environment and the task.",
		payload: func(e *Event) any { return ensure(&e.RunStarted) }}
	EventModelCall = EventType{Name: "model_call", Since: "1.0.0",
		Doc:     "One request to a model and what it cost.",
		payload: func(e *Event) any { return ensure(&e.ModelCall) }}
	EventToolCall = EventType{Name: "tool_call", Since: "1.0.0",
		Doc:     "One call of a tool by the agent.",
		payload: func(e *Event) any { return ensure(&e.ToolCall) }}
	EventRetrievalQuery = EventType{Name: "retrieval_query", Since: "1.0.0",
		Doc:     "One question to a retrieval tool, with or without results.",
		payload: func(e *Event) any { return ensure(&e.RetrievalQuery) }}
	EventRetrievalCandidate = EventType{Name: "retrieval_candidate", Since: "1.0.0",
		Doc:     "One result of a retrieval query.",
		AnyOf:   []string{"file", "doc_id"},
		payload: func(e *Event) any { return ensure(&e.RetrievalCandidate) }}
	EventFileRead = EventType{Name: "file_read", Since: "1.0.0",
		Doc:     "A file, or a span of one, shown to the agent.",
		payload: func(e *Event) any { return ensure(&e.FileRead) }}
	EventEdit = EventType{Name: "edit", Since: "1.0.0",
		Doc:     "One attempt to change files.",
		payload: func(e *Event) any { return ensure(&e.Edit) }}
	EventTestRun = EventType{Name: "test_run", Since: "1.0.0",
		Doc:     "A test, lint, build or syntax check that the agent ran.",
		payload: func(e *Event) any { return ensure(&e.TestRun) }}
	EventResourceSample = EventType{Name: "resource_sample", Since: "1.0.0",
		Doc:     "Measurements of the machine, the process or an index.",
		payload: func(e *Event) any { return ensure(&e.ResourceSample) }}
	EventRunFinished = EventType{Name: "run_finished", Since: "1.0.0",
		Doc:     "The last event: how the run ended and what became of its patch.",
		payload: func(e *Event) any { return ensure(&e.RunFinished) }}
)

// EventTypes lists every event type, in the order of the documentation.
var EventTypes = []*EventType{
	&EventRunStarted, &EventModelCall, &EventToolCall, &EventRetrievalQuery, &EventRetrievalCandidate,
	&EventFileRead, &EventEdit, &EventTestRun, &EventResourceSample, &EventRunFinished,
}

// EventTypeByName finds a type by the name that stands in a line.
func EventTypeByName(name string) (*EventType, bool) {
	for _, t := range EventTypes {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Fields describes the members of the type's data object.
func (t *EventType) Fields() []Field { return FieldsOf(t.payload(&Event{})) }

// Payload returns e's payload of this type, made empty when e has none.
func (t *EventType) Payload(e *Event) any { return t.payload(e) }

func ensure[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

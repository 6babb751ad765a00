package schema

// A Payload is the data of one event: the struct of one of the event types.
type Payload interface {
	// EventType is the type of event that the payload belongs to.
	EventType() *EventType
}

// EventType is EventRunStarted.
func (RunStarted) EventType() *EventType { return &EventRunStarted }

// EventType is EventModelCall.
func (ModelCall) EventType() *EventType { return &EventModelCall }

// EventType is EventToolCall.
func (ToolCall) EventType() *EventType { return &EventToolCall }

// EventType is EventRetrievalQuery.
func (RetrievalQuery) EventType() *EventType { return &EventRetrievalQuery }

// EventType is EventRetrievalCandidate.
func (RetrievalCandidate) EventType() *EventType { return &EventRetrievalCandidate }

// EventType is EventFileRead.
func (FileRead) EventType() *EventType { return &EventFileRead }

// EventType is EventEdit.
func (Edit) EventType() *EventType { return &EventEdit }

// EventType is EventTestRun.
func (TestRun) EventType() *EventType { return &EventTestRun }

// EventType is EventResourceSample.
func (ResourceSample) EventType() *EventType { return &EventResourceSample }

// EventType is EventRunFinished.
func (RunFinished) EventType() *EventType { return &EventRunFinished }

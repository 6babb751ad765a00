package record

import (
	"bytes"
	"fmt"
	"os"
	"path"

	"github.com/assay-bench/assay/schema"
)

// WriteExperiment writes the plan of an experiment under root. The file must not
// exist.
func WriteExperiment(root string, p schema.Plan, o Options) error {
	if p.SchemaVersion == "" {
		p.SchemaVersion = schema.Version
	}
	text, err := encodeDocument(&schema.DocumentPlan, schema.NewDocumentDecoder[schema.Plan](&schema.DocumentPlan), p, newGuard(o))
	if err != nil {
		return err
	}
	return writeExperimentFile(root, p.ExperimentID, schema.DocumentPlan.File, text, o)
}

// WriteTasks writes what is known of the tasks of an experiment, one a line. The
// file must not exist.
func WriteTasks(root, experimentID string, tasks []schema.Task, o Options) error {
	if !schema.ValidID(experimentID) {
		return fmt.Errorf("experiment_id: have %q, want %s", experimentID, schema.FormID.Want())
	}
	var all bytes.Buffer
	g, decoder := newGuard(o), schema.NewDocumentDecoder[schema.Task](&schema.DocumentTask)
	for i, t := range tasks {
		line, err := encodeDocument(&schema.DocumentTask, decoder, t, g)
		if err != nil {
			return fmt.Errorf("task %d: %w", i+1, err)
		}
		all.Write(line)
	}
	return writeExperimentFile(root, experimentID, schema.DocumentTask.File, all.Bytes(), o)
}

func writeExperimentFile(root, experimentID, file string, text []byte, o Options) error {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return err
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.MkdirAll(experimentID, 0o777); err != nil {
		return err
	}
	return createFile(r, path.Join(experimentID, file), text, o.Durability)
}

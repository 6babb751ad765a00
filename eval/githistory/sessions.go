package githistory

import (
	"context"
	"errors"
)

func readSessions(ctx context.Context, repo *repository, opts Options) (TaskSet, []group, error) {
	return TaskSet{}, nil, errors.New("sessions")
}

# The README's two commands are `make demo` and `make test`.

GO      ?= go
# amd64 code that does not depend on the processor: the same bytes everywhere.
export GOAMD64 = v1
GOFLAGS_BUILD = -trimpath -buildvcs=auto

.PHONY: build demo test check bench coverage interop fuzz gen golden

build: bin/assay

.PHONY: bin/assay
bin/assay:
	$(GO) build $(GOFLAGS_BUILD) -o $@ ./cmd/assay

# demo: a simulated study with planted effects and faults, from raw runs to tables;
# then search tools over this checkout's own commits, where it has them.
demo: bin/assay
	rm -rf demo
	bin/assay demo -o demo
	internal/campaign/demo/run bin/assay demo/eval

# The limit only bounds a hang: a slow or busy machine has its time.
test:
	$(GO) vet ./...
	$(GO) test -count=1 -timeout 60m ./...

# gen writes the pages under docs/ and the frozen files that are computed from the lists.
gen:
	$(GO) run ./internal/gendoc
	ASSAY_UPDATE=1 $(GO) test -run TestCLIPage ./cmd/assay

# golden rewrites the golden files; look at the difference before committing it.
golden:
	ASSAY_UPDATE=1 $(GO) test ./...

# bench measures ratios in one run against what a user would use instead.
bench: bin/assay
	$(GO) run ./internal/campaign/bench -assay bin/assay

# coverage simulates studies and writes the figures of docs/validity.md.
coverage:
	$(GO) run ./internal/campaign/coverage -o docs/validity.md
	$(GO) run ./internal/campaign/gate

# interop reads every file of a dataset with pyarrow and polars and compares values.
interop: bin/assay
	internal/dataset/interop/run

# scale derives 20,000 runs with 64 open files and 256 MB at most.
.PHONY: scale
scale:
	ASSAY_SCALE_RUNS=20000 ASSAY_SCALE_QUERIES=40 $(GO) test -count=1 -run TestScale -v ./internal/pipeline

FUZZTIME ?= 10m
fuzz:
	internal/campaign/fuzz/run $(FUZZTIME)

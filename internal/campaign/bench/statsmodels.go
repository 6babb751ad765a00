package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-bench/assay/stats"
)

// A statsmodelsFit is what the Python package made of the crossed study.
type statsmodelsFit struct {
	Version  string  `json:"version"`
	Seconds  float64 `json:"seconds"`
	Effect   float64 `json:"effect"`
	SE       float64 `json:"se"`
	LogLik   float64 `json:"loglik"`
	Variance struct {
		Task  float64 `json:"task"`
		Agent float64 `json:"agent"`
	} `json:"variance"`
}

// statsmodelsPatience ends a fit that takes too long.
const statsmodelsPatience = 15 * time.Minute

// statsmodelsScript fits crossed random intercepts the way the package offers:
// variance components in one group that holds all rows.
const statsmodelsScript = `
import json, sys, time
import pandas, statsmodels
import statsmodels.formula.api as smf
data = pandas.read_csv(sys.argv[1])
start = time.monotonic()
fit = smf.mixedlm("y ~ arm", data, groups=[1] * len(data), re_formula="0", use_sparse=True,
    vc_formula={"task": "0 + C(task)", "agent": "0 + C(agent)"}).fit(reml=True)
seconds = time.monotonic() - start
variance = dict(zip(fit.model.exog_vc.names, map(float, fit.vcomp)))
json.dump({"version": statsmodels.__version__, "seconds": seconds, "effect": float(fit.params["arm"]), "se": float(fit.bse["arm"]),
    "loglik": float(fit.llf), "variance": variance}, sys.stdout)
`

// runStatsmodels installs the package under dir unless it is there, and fits the
// study. Its time is that of the fit alone, without starting Python.
func runStatsmodels(dir string, study crossedStudy) (statsmodelsFit, error) {
	var fit statsmodelsFit
	python := filepath.Join(dir, "venv", "bin", "python")
	if exec.Command(python, "-c", "import statsmodels").Run() != nil {
		if err := installStatsmodels(dir, python); err != nil {
			return fit, err
		}
	}
	data := filepath.Join(dir, "crossed.csv")
	if err := study.write(data); err != nil {
		return fit, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), statsmodelsPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-W", "ignore", "-c", statsmodelsScript, data)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return fit, fmt.Errorf("it had not fitted the model after %v", statsmodelsPatience)
	}
	if err != nil {
		return fit, err
	}
	return fit, json.Unmarshal(out, &fit)
}

func installStatsmodels(dir, python string) error {
	for _, args := range [][]string{{"python3", "-m", "venv", filepath.Join(dir, "venv")}, {python, "-m", "pip", "install", "-q", "statsmodels"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return errors.New("it cannot be installed: " + strings.Join(args, " ") + ": " + lastLine(out, err))
		}
	}
	return nil
}

func lastLine(out []byte, err error) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}

// agree refuses a comparison of two different fits.
func (s statsmodelsFit) agree(f *stats.MixedFit) error {
	have := f.Coefficients[len(f.Coefficients)-1].Estimate
	if math.Abs(have-s.Effect) > 1e-4 {
		return fmt.Errorf("mixed model: have effect %g, statsmodels %g", have, s.Effect)
	}
	return nil
}

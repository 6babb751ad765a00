package githistory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/eval/command"
)

// ToolInfo is what identifies a tool in the record of an experiment.
type ToolInfo struct {
	// Name is the tool's.
	Name string
	// Spec is how an outside tool was given; nil for a built-in one.
	Spec *ToolSpec
	// SHA256 is over the executable that the command's first word resolves to; empty for a built-in tool.
	SHA256 string
	// Version is what the tool or its server reports of itself; empty where it was not asked.
	Version string
}

// toolset is the tools over one snapshot.
type toolset struct {
	tools     map[string]Tool
	infos     []ToolInfo
	baselines *baselines
}

// newToolset builds the indexes first, then starts the outside tools: what cannot be started at all is found
// before the first task.
func newToolset(ctx context.Context, opts Options, repo *repository, s *snapshot, names []string) (_ *toolset, err error) {
	t := &toolset{tools: map[string]Tool{}}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.baselines, err = newBaselines(ctx, s, opts.Jobs); err != nil {
		return nil, err
	}
	p := place{snapshot: s, timeout: opts.Timeout, env: hide(os.Environ(), hidden(repo), s.root)}
	for i := range opts.Tools {
		if err := t.start(ctx, opts.Tools[i], p); err != nil {
			return nil, fmt.Errorf("tool %s: %w", opts.Tools[i].Name, err)
		}
	}
	for _, name := range names {
		if rank, ok := t.baselines.rankers[name]; ok && t.tools[name] == nil {
			t.tools[name] = builtinTool{rank}
			t.infos = append(t.infos, ToolInfo{Name: name})
		}
	}
	return t, nil
}

// hidden are the folders that no outside tool is told of.
func hidden(repo *repository) []string {
	var dirs []string
	for _, dir := range []string{repo.dir, repo.gitDir, strings.TrimSuffix(repo.commonDir, "/.git")} {
		if dir == "/" {
			continue
		}
		dirs = append(dirs, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// start makes one outside tool ready and records what it is.
func (t *toolset) start(ctx context.Context, spec ToolSpec, p place) error {
	info := ToolInfo{Name: spec.Name, Spec: &spec}
	var tool Tool
	var executable command.Executable
	if spec.Call == "" {
		ready, found, err := newCommandTool(spec, p)
		if err != nil {
			return err
		}
		tool, executable = ready, found
	} else {
		ready, found, err := newServerTool(ctx, spec, p)
		if err != nil {
			return err
		}
		tool, executable, info.Version = ready, found, ready.client.ServerVersion()
	}
	t.tools[spec.Name] = tool
	info.SHA256 = executable.SHA256
	if spec.Expand > 0 {
		t.tools[spec.Name] = expandTool{inner: tool, first: spec.Expand}
	}
	if spec.VersionCommand != "" {
		version, err := versionOf(ctx, spec.VersionCommand, p)
		if err != nil {
			return err
		}
		info.Version = version
	}
	t.infos = append(t.infos, info)
	return nil
}

// versionOf is what the version command prints, without blanks around it.
func versionOf(ctx context.Context, line string, p place) (string, error) {
	template, err := command.Parse(line)
	if err != nil {
		return "", err
	}
	args := template.Fill()
	executable, err := command.Resolve(args)
	if err != nil {
		return "", err
	}
	args[0] = executable.Path
	result := command.Run(ctx, command.Options{Args: args, Dir: p.snapshot.root, Env: p.env, Timeout: p.timeout})
	if result.Status != command.OK {
		return "", fmt.Errorf("version command %q: %s", line, result.Reason)
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(result.Stdout)), "\uFFFD"), nil
}

// close ends what the tools started.
func (t *toolset) close() {
	for _, tool := range t.tools {
		tool.Close() // how a tool ends says nothing about its answers
	}
}

package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/schema"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of program and contract",
		Example: "  assay version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Code   string `json:"code_revision"`
				Schema string `json:"schema_version"`
				Go     string `json:"go"`
				Arch   string `json:"arch"`
			}{codeRevision(), schema.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if a.json {
				return a.printJSON(v)
			}
			_, err := fmt.Fprintf(a.out, "assay %s\ncontract %s\n%s %s\n", v.Code, v.Schema, v.Go, v.Arch)
			return err
		},
	}
}

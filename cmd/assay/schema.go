package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/schema"
)

func schemaCommand(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schemas of the contract",
		Example: `  assay schema event_tool_call
  assay schema -o schemas`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files := schema.JSONSchemaFiles()
			if out != "" {
				return writeSchemas(a, out, files)
			}
			return printSchemas(a, args, files)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "write all schemas into a new folder")
	return c
}

func printSchemas(a *app, args []string, files map[string][]byte) error {
	if len(args) == 1 {
		b, ok := files[args[0]+".schema.json"]
		if !ok {
			return usageError(fmt.Errorf("schema: have %q, want one of those that assay schema lists", args[0]))
		}
		_, err := a.out.Write(b)
		return err
	}
	var names []string
	for _, name := range schemaNames(files) {
		names = append(names, strings.TrimSuffix(name, ".schema.json"))
	}
	if a.json {
		return a.printJSON(names)
	}
	fmt.Fprintln(a.out, strings.Join(names, "\n"))
	a.next("assay schema run_manifest")
	return nil
}

func schemaNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func writeSchemas(a *app, dir string, files map[string][]byte) error {
	if err := writeFolder(dir, files); err != nil {
		return err
	}
	a.say("%d schemas of contract %s in %s", len(files), schema.Version, dir)
	return nil
}

package symbols

import (
	"unsafe"

	grammarc "github.com/tree-sitter/tree-sitter-c/bindings/go"
	grammarcpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	grammargo "github.com/tree-sitter/tree-sitter-go/bindings/go"
	grammarjava "github.com/tree-sitter/tree-sitter-java/bindings/go"
	grammarjavascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	grammarpython "github.com/tree-sitter/tree-sitter-python/bindings/go"
	grammarrust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	grammartypescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// language is a grammar with what its definitions look like. A capture's name is the kind of the definition.
type language struct {
	name       string
	extensions []string
	grammar    func() unsafe.Pointer
	query      string
}

// languages lists every language that is read.
var languages = []language{
	{"Go", []string{".go"}, grammargo.Language, queryGo},
	{"Python", []string{".py", ".pyi"}, grammarpython.Language, queryPython},
	{"JavaScript", []string{".js", ".jsx", ".mjs", ".cjs"}, grammarjavascript.Language, queryScript + queryJavaScript},
	{"TypeScript", []string{".ts", ".mts", ".cts"}, grammartypescript.LanguageTypescript, queryScript + queryTypeScript},
	{"TSX", []string{".tsx"}, grammartypescript.LanguageTSX, queryScript + queryTypeScript},
	{"Java", []string{".java"}, grammarjava.Language, queryJava},
	{"Rust", []string{".rs"}, grammarrust.Language, queryRust},
	{"C", []string{".c", ".h"}, grammarc.Language, queryC},
	{"C++", []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".c++"}, grammarcpp.Language, queryC + queryCpp},
}

const queryGo = `
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list) @receiver name: (field_identifier) @name) @function
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(source_file (const_declaration (const_spec name: (identifier) @name) @value))
(source_file (var_declaration (var_spec name: (identifier) @name) @value))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @value)))
`

const queryPython = `
(function_definition name: (identifier) @name) @function
(decorated_definition definition: (function_definition name: (identifier) @name)) @function
(class_definition name: (identifier) @name) @type
(decorated_definition definition: (class_definition name: (identifier) @name)) @type
(module (expression_statement (assignment left: (identifier) @name) @value))
`

const queryScript = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(function_expression name: (identifier) @name) @function
(method_definition name: (_) @name) @function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (_) @name right: [(arrow_function) (function_expression) (generator_function)]) @function
(pair key: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(class_declaration name: (_) @name) @type
(class name: (_) @name) @type
(program (lexical_declaration (variable_declarator name: (identifier) @name) @value))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @value)))
`

const queryJavaScript = `
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @function
`

const queryTypeScript = `
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @function
(function_signature name: (identifier) @name) @function
(abstract_method_signature name: (_) @name) @function
(abstract_class_declaration name: (type_identifier) @name) @type
(interface_declaration name: (type_identifier) @name) @type
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @type
(internal_module name: (_) @name) @scope
`

const queryJava = `
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(compact_constructor_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @type
(interface_declaration name: (identifier) @name) @type
(enum_declaration name: (identifier) @name) @type
(record_declaration name: (identifier) @name) @type
(annotation_type_declaration name: (identifier) @name) @type
`

const queryRust = `
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @type
(enum_item name: (type_identifier) @name) @type
(union_item name: (type_identifier) @name) @type
(type_item name: (type_identifier) @name) @type
(trait_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (declaration_list)) @scope
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @scope
(source_file (const_item name: (identifier) @name) @value)
(source_file (static_item name: (identifier) @name) @value)
`

const queryC = `
(function_definition) @function
(preproc_function_def name: (identifier) @name) @function
(struct_specifier name: (type_identifier) @name body: (_)) @type
(union_specifier name: (type_identifier) @name body: (_)) @type
(enum_specifier name: (type_identifier) @name body: (_)) @type
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @value
`

const queryCpp = `
(class_specifier name: (type_identifier) @name body: (_)) @type
(alias_declaration name: (type_identifier) @name) @type
(namespace_definition name: (_) @name) @scope
`

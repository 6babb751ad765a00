package dataset

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/schema"
)

// CroissantFile is the name of the description that machines read, in the format
// of https://docs.mlcommons.org/croissant/docs/croissant-spec.html, version 1.0.
const CroissantFile = "croissant.json"

// A croissant is the description as a whole.
type croissant struct {
	// Context maps the short names to those of the vocabularies.
	Context jsontext.Value `json:"@context"`
	// Type is sc:Dataset.
	Type string `json:"@type"`
	// Name names the dataset.
	Name string `json:"name"`
	// ConformsTo is the version of the format.
	ConformsTo string `json:"conformsTo"`
	// Description says what the dataset holds.
	Description string `json:"description"`
	// Version is the version of the shape of the tables.
	Version string `json:"version"`
	// Distribution lists the files.
	Distribution []croissantFile `json:"distribution"`
	// RecordSet lists the tables.
	RecordSet []croissantRecordSet `json:"recordSet"`
}

// A croissantFile is one file.
type croissantFile struct {
	// Type is cr:FileObject.
	Type string `json:"@type"`
	// ID is the path, which fields refer to.
	ID string `json:"@id"`
	// Name is the name of the file.
	Name string `json:"name"`
	// ContentURL is the path, relative to the description.
	ContentURL string `json:"contentUrl"`
	// ContentSize is the size with its unit.
	ContentSize string `json:"contentSize"`
	// EncodingFormat is the media type.
	EncodingFormat string `json:"encodingFormat"`
	// SHA256 is the hash of the bytes.
	SHA256 string `json:"sha256"`
}

// A croissantRecordSet is one table, or one part of a table in several files.
type croissantRecordSet struct {
	// Type is cr:RecordSet.
	Type string `json:"@type"`
	// ID is the table, with its part where there are several.
	ID string `json:"@id"`
	// Name is the same.
	Name string `json:"name"`
	// Description says what a row is.
	Description string `json:"description"`
	// Field lists the columns.
	Field []croissantField `json:"field"`
}

// A croissantField is one column.
type croissantField struct {
	// Type is cr:Field.
	Type string `json:"@type"`
	// ID is the table and the column.
	ID string `json:"@id"`
	// Name is the column.
	Name string `json:"name"`
	// Description says what the column means.
	Description string `json:"description"`
	// DataType is the type in the words of schema.org.
	DataType string `json:"dataType"`
	// Repeated is true of a list.
	Repeated bool `json:"repeated,omitzero"`
	// Source says where the values are.
	Source croissantSource `json:"source"`
}

// A croissantSource is a column of a file.
type croissantSource struct {
	// FileObject is the file.
	FileObject croissantID `json:"fileObject"`
	// Extract is the column.
	Extract croissantExtract `json:"extract"`
}

// A croissantID refers to something described elsewhere.
type croissantID struct {
	// ID is its id.
	ID string `json:"@id"`
}

// A croissantExtract says what of a file is meant.
type croissantExtract struct {
	// Column is the column.
	Column string `json:"column"`
}

// croissantContext is the context that the specification prescribes.
const croissantContext = `{
  "@language": "en",
  "@vocab": "https://schema.org/",
  "citeAs": "cr:citeAs",
  "column": "cr:column",
  "conformsTo": "dct:conformsTo",
  "cr": "http://mlcommons.org/croissant/",
  "data": {"@id": "cr:data", "@type": "@json"},
  "dataBiases": "cr:dataBiases",
  "dataCollection": "cr:dataCollection",
  "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
  "dct": "http://purl.org/dc/terms/",
  "equivalentProperty": "cr:equivalentProperty",
  "examples": {"@id": "cr:examples", "@type": "@json"},
  "extract": "cr:extract",
  "field": "cr:field",
  "fileObject": "cr:fileObject",
  "fileProperty": "cr:fileProperty",
  "fileSet": "cr:fileSet",
  "format": "cr:format",
  "includes": "cr:includes",
  "isLiveDataset": "cr:isLiveDataset",
  "jsonPath": "cr:jsonPath",
  "key": "cr:key",
  "md5": "cr:md5",
  "parentField": "cr:parentField",
  "path": "cr:path",
  "personalSensitiveInformation": "cr:personalSensitiveInformation",
  "rai": "http://mlcommons.org/croissant/RAI/",
  "recordSet": "cr:recordSet",
  "references": "cr:references",
  "regex": "cr:regex",
  "repeated": "cr:repeated",
  "replace": "cr:replace",
  "samplingRate": "cr:samplingRate",
  "sc": "https://schema.org/",
  "separator": "cr:separator",
  "source": "cr:source",
  "subField": "cr:subField",
  "transform": "cr:transform"
}`

// WriteCroissant writes the Croissant description of a dataset.
func WriteCroissant(dir string, l *Lineage, columns func(*schema.Table) []schema.Column) error {
	text, err := json.Marshal(croissantOf(l, columns), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, CroissantFile), append(text, '\n'), 0o644)
}

func croissantOf(l *Lineage, columns func(*schema.Table) []schema.Column) croissant {
	c := croissant{
		Context: jsontext.Value(croissantContext), Type: "sc:Dataset",
		Name: "assay-" + l.DatasetID, ConformsTo: "http://mlcommons.org/croissant/1.0",
		Description: "Events and metrics of agent runs, with their lineage.", Version: l.SchemaVersion,
	}
	for _, f := range l.Files {
		c.Distribution = append(c.Distribution, croissantFile{
			Type: "cr:FileObject", ID: f.Path, Name: path.Base(f.Path), ContentURL: f.Path,
			ContentSize: fmt.Sprint(f.Bytes, " B"), EncodingFormat: "application/x-parquet", SHA256: f.SHA256,
		})
	}
	for _, t := range schema.Tables {
		for _, f := range l.Files {
			if f.Table == t.Name {
				c.RecordSet = append(c.RecordSet, croissantRecords(t, f, columns(t)))
			}
		}
	}
	return c
}

func croissantRecords(t *schema.Table, f File, columns []schema.Column) croissantRecordSet {
	id := t.Name
	if path.Dir(f.Path) != "." {
		id = f.Path[:len(f.Path)-len(path.Ext(f.Path))]
	}
	r := croissantRecordSet{Type: "cr:RecordSet", ID: id, Name: id, Description: t.Doc}
	for _, c := range columns {
		r.Field = append(r.Field, croissantField{
			Type: "cr:Field", ID: id + "/" + c.Name, Name: c.Name, Description: c.Doc,
			DataType: croissantType(c.Type), Repeated: c.Type == schema.TypeTextList,
			Source: croissantSource{FileObject: croissantID{f.Path}, Extract: croissantExtract{c.Name}},
		})
	}
	return r
}

func croissantType(t schema.ColumnType) string {
	switch t {
	case schema.TypeInteger:
		return "sc:Integer"
	case schema.TypeDouble, schema.TypeDecimal:
		return "sc:Float"
	case schema.TypeBoolean:
		return "sc:Boolean"
	case schema.TypeTimestamp:
		return "sc:DateTime"
	}
	return "sc:Text"
}

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

type croissant struct {
	Context      jsontext.Value       `json:"@context"`
	Type         string               `json:"@type"`
	Name         string               `json:"name"`
	ConformsTo   string               `json:"conformsTo"`
	Description  string               `json:"description"`
	Version      string               `json:"version"`
	Distribution []croissantFile      `json:"distribution"`
	RecordSet    []croissantRecordSet `json:"recordSet"`
}

type croissantFile struct {
	Type           string `json:"@type"`
	ID             string `json:"@id"`
	Name           string `json:"name"`
	ContentURL     string `json:"contentUrl"`
	ContentSize    string `json:"contentSize"`
	EncodingFormat string `json:"encodingFormat"`
	SHA256         string `json:"sha256"`
}

type croissantRecordSet struct {
	Type        string           `json:"@type"`
	ID          string           `json:"@id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Field       []croissantField `json:"field"`
}

type croissantField struct {
	Type        string          `json:"@type"`
	ID          string          `json:"@id"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	DataType    string          `json:"dataType"`
	Repeated    bool            `json:"repeated,omitzero"`
	Source      croissantSource `json:"source"`
}

type croissantSource struct {
	FileObject croissantID      `json:"fileObject"`
	Extract    croissantExtract `json:"extract"`
}

type croissantID struct {
	ID string `json:"@id"`
}

type croissantExtract struct {
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

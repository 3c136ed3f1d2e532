-- The version itself and the account of its build.
-- The row of `dataset` is inserted last: without it a version is not complete.

CREATE TABLE dataset {{onCluster}} (
  version String COMMENT 'id, e.g. 20261101-0007',
  sequence Int32 COMMENT 'number of the build',
  exportDay Date32 COMMENT 'day of the export it was built from',
  exportLevel Nullable(String) COMMENT 'release level in the file name, e.g. 26.1',
  exportName String COMMENT 'name of the file or folder read',
  builtAt DateTime64(3, 'UTC') COMMENT 'when it was built, UTC',
  previousVersion Nullable(String) COMMENT 'the version whose history was carried over',
  hashBasis String COMMENT 'what units.inhalt depends on besides the content',
  ersetztAb Nullable(Int32) COMMENT 'units_ersetzt is complete for readers of this build and of later ones',
  erfunden Nullable(Bool) COMMENT 'true where the generator made the export: its units are invented'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY version
SETTINGS {{partSettings}};

CREATE TABLE vorgaenger {{onCluster}} (
  version String COMMENT 'a version from which a delta leads to this one, which is among them itself',
  sequence Int32 COMMENT 'number of its build',
  anker Int32 COMMENT 'a delta begins behind this build: its own for those this one was built upon, an earlier one for withdrawn ones'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY version
SETTINGS {{partSettings}};

CREATE TABLE staende {{onCluster}} (
  version String COMMENT 'a version whose state this one can tell, which is among them itself',
  sequence Int32 COMMENT 'number of its build',
  exportDay Date32 COMMENT 'day of its export'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY sequence
SETTINGS {{partSettings}};

CREATE TABLE dateien {{onCluster}} (
  datei String COMMENT 'member of the export',
  art LowCardinality(String) COMMENT 'kind of file, e.g. EinheitenSolar',
  teil Nullable(Int32) COMMENT 'number of the part',
  verwendung LowCardinality(String) COMMENT 'tabelle, katalog, ungenutzt, unbekannt',
  bytes Int64 COMMENT 'unpacked, bytes',
  gelesen Int64 COMMENT 'records: of used tables geladen + doppelt + abgelehnt',
  geladen Int64 COMMENT 'records',
  doppelt Int64 COMMENT 'records',
  abgelehnt Int64 COMMENT 'records'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY datei
SETTINGS {{partSettings}};

CREATE TABLE befunde {{onCluster}} (
  datei Nullable(String) COMMENT 'member of the export',
  art LowCardinality(String) COMMENT 'kind of file',
  befund LowCardinality(String) COMMENT 'kind of finding, see docs/operations.md',
  feld Nullable(String) COMMENT 'element',
  roh Nullable(String) COMMENT 'text of an element that is known and not personal',
  hinweis Nullable(String) COMMENT 'of any other text its form; of a broken record what is wrong',
  beispiel Nullable(String) COMMENT 'key of the first record in which it occurs',
  satz Nullable(Int32) COMMENT 'number of that record in the file, from 1',
  anzahl Int64 COMMENT 'how often'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (befund, art)
SETTINGS {{partSettings}};

CREATE TABLE katalogwerte {{onCluster}} (
  kategorie LowCardinality(String) COMMENT 'name of the category, or of the system list',
  id Int32 COMMENT 'catalogue id',
  wert String COMMENT 'its text'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (kategorie, id)
SETTINGS {{partSettings}};

CREATE TABLE zusatztabellen {{onCluster}} (
  name String COMMENT 'table of the operator (npm run ingest -- table) that this version has applied',
  zeilen Int32 COMMENT 'rows',
  zugeordnet Int32 COMMENT 'rows that name a unit of this version'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY name
SETTINGS {{partSettings}};

CREATE TABLE loeschungen {{onCluster}} (
  nummer String COMMENT 'MaStR number of an operator or a unit whose past is forgotten',
  am String COMMENT 'when it was asked for, RFC 3339',
  von String COMMENT 'who asked for it',
  zeilen Int32 COMMENT 'former rows that have lost what is personal, in all builds'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY nummer
SETTINGS {{partSettings}};

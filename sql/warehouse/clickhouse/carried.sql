-- Rows of earlier versions that a build takes over, until the server has copied them. It is dropped before the version is complete.
CREATE TABLE IF NOT EXISTS uebernommen {{onCluster}} (
  ziel LowCardinality(String) COMMENT 'table of this version',
  quelle LowCardinality(String) COMMENT 'database and table of an earlier version',
  nummer Int64 COMMENT 'units.nummer',
  seit Int32 COMMENT 'the build: abgangSeit, or ersetztSeit',
  am Nullable(Date32) COMMENT 'ersetztAm',
  grund LowCardinality(String) COMMENT 'abgangGrund'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (ziel, quelle, nummer)
SETTINGS {{partSettings}}

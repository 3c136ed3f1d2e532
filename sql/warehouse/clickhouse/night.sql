-- What the next night compares with. The build has filled it.

-- The records of the export that units depend on, each with a hash of what is kept of it.
CREATE TABLE saetze {{onCluster}} (
  tabelle LowCardinality(String) COMMENT 'staged table',
  nummer Int64 COMMENT 'key of the record' CODEC(Delta, ZSTD(1)),
  hash UInt64 CODEC(NONE),
  wirkung Nullable(UInt64) COMMENT 'hash of what other units than its own are computed with; NULL: none are, or all is' CODEC(NONE)
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (tabelle, nummer)
SETTINGS {{partSettings}};

-- What the version was computed from besides the export.
CREATE TABLE grundlagen {{onCluster}} (
  name String COMMENT 'programm, ausschreibungen, orte, nep',
  digest String
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY name
SETTINGS {{partSettings}};

-- References of units that lead nowhere.
CREATE TABLE verweise_ins_leere {{onCluster}} (
  art LowCardinality(String) COMMENT 'kind of file of the unit',
  verweis LowCardinality(String) COMMENT 'element',
  einheit Int64 COMMENT 'units.nummer'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (art, verweis, einheit)
SETTINGS {{partSettings}};

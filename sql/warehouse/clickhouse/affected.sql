-- The rows that a night replaces in tables that begin as those of the version before. It is dropped before the version is complete.
CREATE TABLE IF NOT EXISTS betroffen {{onCluster}} (
  tabelle LowCardinality(String) COMMENT 'units, foerderung; of saetze their own tabelle, behind saetze/',
  nummer Int64 COMMENT 'units.nummer, foerderung.eeg, saetze.nummer'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (tabelle, nummer)
SETTINGS {{partSettings}}

-- The tables that all versions of one warehouse share, in the database {{prefix}}. Each version has its own database.

CREATE DATABASE IF NOT EXISTS {{prefix}} {{onCluster}};

-- The pointer: one row for each publication. The version of the newest row is served.
CREATE TABLE IF NOT EXISTS {{prefix}}.publications {{onCluster}} (
  number UInt64 COMMENT 'grows by one from publication to publication',
  version String COMMENT 'id of the version, e.g. 20261101-0007; its database is {{prefix}}_v20261101_0007',
  sequence UInt32 COMMENT 'number of the build',
  exportDay Date32 COMMENT 'day of the export it was built from',
  publishedAt DateTime64(3, 'UTC') COMMENT 'when it began to be served',
  cause LowCardinality(String) COMMENT 'build, or rollback to this version',
  forced Array(String) COMMENT 'checks that had failed when it was published all the same'
) ENGINE = {{replicated}}MergeTree{{ofCluster}} ORDER BY number
-- A row that is sent again, because the answer was lost, is dropped.
SETTINGS non_replicated_deduplication_window = 1000;

-- The report of each version's build, for machines that did not build it.
CREATE TABLE IF NOT EXISTS {{prefix}}.reports {{onCluster}} (
  version String COMMENT 'id of the version',
  report String COMMENT 'JSON, as report.json of the folder it was built in'
) ENGINE = {{replicated}}MergeTree{{ofCluster}} ORDER BY version
SETTINGS non_replicated_deduplication_window = 1000;

-- Requests to forget the past of an operator or a unit (ingest/commands/erase.ts), which services read as they read the pointer.
CREATE TABLE IF NOT EXISTS {{prefix}}.erasures {{onCluster}} (
  nummer String COMMENT 'MaStR number',
  am String COMMENT 'when it was asked for, RFC 3339',
  von String COMMENT 'who asked for it'
) ENGINE = {{replicated}}MergeTree{{ofCluster}} ORDER BY (am, nummer)
SETTINGS non_replicated_deduplication_window = 1000;

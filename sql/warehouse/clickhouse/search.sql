-- The tables of searches. The build has filled them and folded their texts (macro fold_text).

-- Every text that the filter suche reads, once, with the units that have it: names, operators, wind farms, places.
CREATE TABLE suchtexte {{onCluster}} (
  gefaltet String COMMENT 'as it is searched' CODEC(ZSTD(1)),
  einheiten Array(Int64) COMMENT 'units.nummer' CODEC(Delta, ZSTD(1))
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY gefaltet
-- The lists are expensive to unpack: small granules keep those around the matching texts few.
SETTINGS {{partSettings}}, index_granularity = 128;

-- Every name of a unit that GET /v1/search reads, by the properties that restrict a search.
CREATE TABLE suchnamen {{onCluster}} (
  gefaltet String COMMENT 'as it is searched' CODEC(ZSTD(1)),
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  kw Nullable(Decimal(18, 3)) COMMENT 'gross capacity of the largest unit, kW',
  nummer Int64 COMMENT 'twelve digits of the number of the largest unit',
  groesste Array(Tuple(nummer Int64, kw Nullable(Decimal(18, 3)))) COMMENT 'the 51 largest units, largest first; kW' CODEC(ZSTD(1))
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY gefaltet
SETTINGS {{partSettings}};

-- What searches read. Copied from the local file, where texts are folded (macro falten).

-- Every text that filter suche looks into, once, with the units that bear it: names, operators, wind farms, places.
CREATE TABLE suchtexte {{onCluster}} (
  gefaltet String COMMENT 'as it is searched' CODEC(ZSTD(1)),
  einheiten Array(Int64) COMMENT 'units.nummer' CODEC(Delta, ZSTD(1))
)
ENGINE = {{replicated}}MergeTree
ORDER BY gefaltet
-- The lists are what costs: only those of texts that hold the word, and of few around them, are unpacked.
SETTINGS index_granularity = 128;

-- Every name of a unit as GET /v1/search looks through them, by what it can be narrowed by.
CREATE TABLE suchnamen {{onCluster}} (
  gefaltet String COMMENT 'as it is searched' CODEC(ZSTD(1)),
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  kw Nullable(Decimal(18, 3)) COMMENT 'gross capacity of the largest unit, kW',
  nummer Int64 COMMENT 'twelve digits of the number of the largest unit',
  groesste Array(Tuple(nummer Int64, kw Nullable(Decimal(18, 3)))) COMMENT 'the 51 largest units, largest first; kW' CODEC(ZSTD(1))
)
ENGINE = {{replicated}}MergeTree
ORDER BY gefaltet;

-- Counts over the whole register, made beforehand because they take too long for a request.

-- Units by one dimension at a time (sql/query/dimensions.ts), filled as `units` is loaded; readers sum the rows of a group.
CREATE TABLE aggregationen{{shard}} {{onCluster}} (
  dimension LowCardinality(String) COMMENT 'name of the dimension; alle: over all units',
  schluessel Nullable(String) COMMENT 'key of the group, of landkreis and gemeinde the row of gebiete; NULL: no value',
  anzahl UInt32 COMMENT 'units',
  kw Decimal(38, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  mitLeistung UInt32 COMMENT 'units whose capacity is known'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (dimension, schluessel)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW aggregationen_aus_units {{onCluster}} TO aggregationen{{shard}} AS
SELECT gruppe.1 AS dimension, gruppe.2 AS schluessel, count() AS anzahl,
  coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung
FROM units{{shard}} AS units
ARRAY JOIN arrayConcat(
  [
{{groups}}
  ],
  arrayMap(
    signal -> ('signals', CAST(signal.2 AS Nullable(String))),
    arrayFilter(signal -> bitAnd(units.signals, signal.1) <> 0, [{{signals}}])
  )
) AS gruppe
GROUP BY dimension, schluessel;

-- The values of each filter that occur, by carrier (sql/query/reference-sets.ts). The build has filled it.
CREATE TABLE referenzwerte {{onCluster}} (
  filter LowCardinality(String) COMMENT 'name of the filter',
  wert String COMMENT 'the value as the filter takes it',
  suchtext String COMMENT 'the value, or the name of the place, as it is searched: without case and diacritics',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  anzahl Int32 COMMENT 'units'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (filter, wert, einheitTyp)
SETTINGS {{partSettings}};

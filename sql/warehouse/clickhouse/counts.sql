-- Counts over the whole register, made beforehand because they take too long for a request.

-- Units by one dimension at a time (sql/query/dimensions.ts), filled as `units` is loaded; readers sum the rows of a group.
CREATE TABLE aggregationen{{shard}} {{onCluster}} (
  dimension LowCardinality(String) COMMENT 'name of the dimension; alle: over all units',
  schluessel Nullable(String) COMMENT 'key of the group, of landkreis and gemeinde the row of gebiete; NULL: no value',
  anzahl Int32 COMMENT 'units',
  kw Decimal(38, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  mitLeistung Int32 COMMENT 'units whose capacity is known',
  kwh Decimal(38, 3) COMMENT 'energy of storage, each plant''s once'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (dimension, schluessel)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

-- Units are grouped by each dimension in one pass, of signals, and of anomalies, by all that a unit has. The groups are few, so of
-- these each becomes its row, or one for each of its signals: a row of each unit in each dimension would take six times as long.
CREATE MATERIALIZED VIEW aggregationen_aus_units {{onCluster}} TO aggregationen{{shard}} AS
SELECT gruppen.gruppe.1 AS dimension, eine AS schluessel,
  sum(gruppen.anzahl) AS anzahl, sum(gruppen.kw) AS kw, sum(gruppen.mitLeistung) AS mitLeistung, sum(gruppen.kwh) AS kwh
FROM (
  SELECT
{{groupKeys}},
    multiIf(
{{groups}}
    ) AS gruppe,
    count() AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung,
    coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
  FROM units{{shard}} AS units
  GROUP BY GROUPING SETS ((), {{groupingSets}})
) AS gruppen
ARRAY JOIN multiIf({{keysOfBits}}
  [gruppen.gruppe.2]
) AS eine
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

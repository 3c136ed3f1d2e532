-- Places, and the roll-ups of units by day and place. The roll-ups are filled as `units` is loaded: each insert adds a
-- row for its part of a group, and merges combine them. Readers sum the rows of a group.

CREATE TABLE regionen {{onCluster}} (
  region Int32 COMMENT 'number of the place in the order of the texts',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  landkreis LowCardinality(Nullable(String)) COMMENT 'district',
  gemeinde LowCardinality(Nullable(String)) COMMENT 'municipality',
  gemeindeschluessel LowCardinality(Nullable(String)) COMMENT 'official municipality key, 8 digits',
  plz LowCardinality(Nullable(String)) COMMENT 'postal code',
  landkreisgebiet Nullable(Int32) COMMENT 'row of gebiete: the district',
  gemeindegebiet Nullable(Int32) COMMENT 'row of gebiete: the municipality'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY region
SETTINGS {{partSettings}};

-- The places that one spelling covers exactly (sql/query/places.ts). Every text is nullable, as
-- a group without a place is joined to none.
CREATE TABLE gebiete {{onCluster}} (
  ebene LowCardinality(String) COMMENT 'landkreis, gemeinde',
  gebiet Nullable(Int32) COMMENT 'number within the level',
  wert Nullable(String) COMMENT 'shortest spelling that covers it and nothing else',
  schluessel Nullable(String) COMMENT 'official key: 5 digits of a district, 8 of a municipality',
  name Nullable(String) COMMENT 'of several names that of most units',
  bundesland LowCardinality(Nullable(String)) COMMENT 'likewise',
  suchname Nullable(String) COMMENT 'the name as it is searched: without case and diacritics',
  ort Nullable(String) COMMENT 'the row of orte that it is, or has become part of'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (ebene, gebiet)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

-- The rows of both in the states of earlier versions and in this one. A place keeps its number for ever.
CREATE TABLE regionen_verlauf {{onCluster}} (
  seit Int32 COMMENT 'build that had the row first',
  bis Nullable(Int32) COMMENT 'build that did not have it any more; NULL: it is of this version',
  region Int32 COMMENT 'number of the place in the order of the texts',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  landkreis LowCardinality(Nullable(String)) COMMENT 'district',
  gemeinde LowCardinality(Nullable(String)) COMMENT 'municipality',
  gemeindeschluessel LowCardinality(Nullable(String)) COMMENT 'official municipality key, 8 digits',
  plz LowCardinality(Nullable(String)) COMMENT 'postal code',
  landkreisgebiet Nullable(Int32) COMMENT 'row of gebiete: the district',
  gemeindegebiet Nullable(Int32) COMMENT 'row of gebiete: the municipality'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (region, seit)
SETTINGS {{partSettings}};

CREATE TABLE gebiete_verlauf {{onCluster}} (
  seit Int32 COMMENT 'build that had the row first',
  bis Nullable(Int32) COMMENT 'build that did not have it any more; NULL: it is of this version',
  ebene LowCardinality(String) COMMENT 'landkreis, gemeinde',
  gebiet Nullable(Int32) COMMENT 'number within the level',
  wert Nullable(String) COMMENT 'shortest spelling that covers it and nothing else',
  schluessel Nullable(String) COMMENT 'official key: 5 digits of a district, 8 of a municipality',
  name Nullable(String) COMMENT 'of several names that of most units',
  bundesland LowCardinality(Nullable(String)) COMMENT 'likewise',
  suchname Nullable(String) COMMENT 'the name as it is searched: without case and diacritics',
  ort Nullable(String) COMMENT 'the row of orte that it is, or has become part of'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (ebene, gebiet, seit)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

-- The places of the official list. Every figure is nullable, as a group that is none of them is joined to none.
CREATE TABLE orte {{onCluster}} (
  schluessel String COMMENT 'official key of a state, district or municipality: 2, 5 or 8 digits',
  name Nullable(String) COMMENT 'name on the list',
  einwohner Nullable(Int32) COMMENT 'inhabitants on einwohnerAm',
  flaecheKm2 Nullable(Decimal(18, 3)) COMMENT 'area, km²',
  gebietsstand Nullable(Int32) COMMENT 'day of the list, days since 1970-01-01',
  einwohnerAm Nullable(Int32) COMMENT 'day of the inhabitants, days since 1970-01-01'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY schluessel
SETTINGS {{partSettings}};

-- serie names the day that counts:
--   inbetriebnahme  units with a commissioning day, and those in operation without one (tag NULL)
--   stilllegung     units with a day of final decommissioning
--   planung         units without a commissioning day that have a planned one or are In Planung (tag NULL)
--   planung_mit_inbetriebnahme  contradictory: In Planung, yet with a commissioning day (tag = planned day)
CREATE TABLE region_tage{{shard}} {{onCluster}} (
  serie LowCardinality(String) COMMENT 'the day that counts',
  region Int32 COMMENT 'row of regionen',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  statusId Nullable(Int32) COMMENT 'catalogue id of the operating status: 31, 35, 37, 38',
  tag Nullable(Int32) COMMENT 'days since 1970-01-01',
  anzahl Int32 COMMENT 'units',
  kw Decimal(18, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  kwh Decimal(18, 3) COMMENT 'energy of storage: the shares of its units in that of their plants'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (region, serie, einheitTyp, statusId, tag)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW region_tage_aus_units {{onCluster}} TO region_tage{{shard}} AS
SELECT reihe.1 AS serie, assumeNotNull(units.region) AS region, units.einheitTyp AS einheitTyp, units.statusId AS statusId,
  reihe.2 AS tag, count() AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw,
  coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
FROM units{{shard}} AS units
ARRAY JOIN {{series}} AS reihe
WHERE units.region IS NOT NULL
GROUP BY serie, region, einheitTyp, statusId, tag;

-- The same without places below the state, for requests about a state.
CREATE TABLE bundesland_tage{{shard}} {{onCluster}} (
  serie LowCardinality(String) COMMENT 'the day that counts',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  statusId Nullable(Int32) COMMENT 'catalogue id of the operating status',
  tag Nullable(Int32) COMMENT 'days since 1970-01-01',
  anzahl Int32 COMMENT 'units',
  kw Decimal(18, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  kwh Decimal(18, 3) COMMENT 'energy of storage: the shares of its units in that of their plants'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (bundesland, serie, einheitTyp, statusId, tag)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW bundesland_tage_aus_units {{onCluster}} TO bundesland_tage{{shard}} AS
SELECT reihe.1 AS serie, units.bundesland AS bundesland, units.einheitTyp AS einheitTyp, units.statusId AS statusId,
  reihe.2 AS tag, count() AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw,
  coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
FROM units{{shard}} AS units
ARRAY JOIN {{series}} AS reihe
WHERE units.region IS NOT NULL
GROUP BY serie, bundesland, einheitTyp, statusId, tag;

-- The same for the whole country.
CREATE TABLE deutschland_tage{{shard}} {{onCluster}} (
  serie LowCardinality(String) COMMENT 'the day that counts',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  statusId Nullable(Int32) COMMENT 'catalogue id of the operating status',
  tag Nullable(Int32) COMMENT 'days since 1970-01-01',
  anzahl Int32 COMMENT 'units',
  kw Decimal(18, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  kwh Decimal(18, 3) COMMENT 'energy of storage: the shares of its units in that of their plants'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (serie, einheitTyp, statusId, tag)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW deutschland_tage_aus_units {{onCluster}} TO deutschland_tage{{shard}} AS
SELECT reihe.1 AS serie, units.einheitTyp AS einheitTyp, units.statusId AS statusId, reihe.2 AS tag,
  count() AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw,
  coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
FROM units{{shard}} AS units
ARRAY JOIN {{series}} AS reihe
WHERE units.region IS NOT NULL
GROUP BY serie, einheitTyp, statusId, tag;

-- The same by the first day of the month: the whole time series of the country in a tenth of the rows.
CREATE TABLE deutschland_monate{{shard}} {{onCluster}} (
  serie LowCardinality(String) COMMENT 'the day that counts',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  statusId Nullable(Int32) COMMENT 'catalogue id of the operating status',
  tag Nullable(Int32) COMMENT 'first day of the month, days since 1970-01-01',
  anzahl Int32 COMMENT 'units',
  kw Decimal(18, 3) COMMENT 'gross capacity, kW; unknown capacity adds 0',
  kwh Decimal(18, 3) COMMENT 'energy of storage: the shares of its units in that of their plants'
)
ENGINE = {{replicated}}SummingMergeTree{{ofShard}}
ORDER BY (serie, einheitTyp, statusId, tag)
SETTINGS {{partSettings}}, allow_nullable_key = 1;

CREATE MATERIALIZED VIEW deutschland_monate_aus_units {{onCluster}} TO deutschland_monate{{shard}} AS
SELECT reihe.1 AS serie, units.einheitTyp AS einheitTyp, units.statusId AS statusId,
  toModifiedJulianDay(concat(substring(fromModifiedJulianDay(reihe.2 + 40587), 1, 7), '-01')) - 40587 AS tag,
  count() AS anzahl, coalesce(sum(units.bruttoleistungKw), 0) AS kw,
  coalesce(sum(units.speicherkapazitaetAnteilKwh), 0) AS kwh
FROM units{{shard}} AS units
ARRAY JOIN {{series}} AS reihe
WHERE units.region IS NOT NULL
GROUP BY serie, einheitTyp, statusId, tag;

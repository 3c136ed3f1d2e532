-- One row for each EEG plant of served units other than storage, and each carrier and state of its units: the support values
-- with what they were computed from, for `npm run ingest -- explain`. Ids are those of the register's catalogues; days are days since 1970-01-01.

CREATE TABLE foerderung {{onCluster}} (
  eeg Int64 COMMENT 'number of the EEG plant as 64 bits',
  einheit Int64 COMMENT 'units.nummer of the unit whose properties stand for those of its carrier and state',
  einheitTyp LowCardinality(String) COMMENT 'energy carrier',
  energietraegerId Nullable(Int32),
  statusId Nullable(Int32),
  inbetriebnahme Nullable(Int32),
  eigenesDatum Bool COMMENT 'inbetriebnahme is the day of the plant itself, not that of the unit',
  kw Nullable(Decimal(18, 3)),
  zahlung Nullable(Bool) COMMENT 'NULL: the register says nothing',
  lageId Nullable(Int32),
  nutzungsbereichId Nullable(Int32),
  einspeisungsartId Nullable(Int32),
  mieterstrom Bool,
  seelageId Nullable(Int32),
  pilot Bool,
  prototyp Bool,
  ertragSchaetzung Nullable(Decimal(18, 3)) COMMENT 'yield ratios of wind as in the register',
  ertrag5 Nullable(Decimal(18, 3)),
  ertrag10 Nullable(Decimal(18, 3)),
  ertrag15 Nullable(Decimal(18, 3)),
  suedregion Nullable(Bool) COMMENT 'NULL: unknown',
  hauptbrennstoffId Nullable(Int32),
  biomasseartId Nullable(Int32),
  technologieId Nullable(Int32),
  wasserkraftartId Nullable(Int32),
  ertuechtigt Bool COMMENT 'hydro: the register knows of upgrades',
  buergerenergie Bool,
  davorKw Nullable(Decimal(18, 3)) COMMENT 'capacity of plants that count as one with it and come before it; NULL: unknown',
  zuschlaege Nullable(String) COMMENT 'awards as JSON',
  hatZuschlag Bool COMMENT 'the register says that there is an award',
  foerderbeginn Nullable(Int32),
  foerderende Nullable(Int32),
  verguetung Nullable(Decimal(6, 2)),
  anzulegenderWert Nullable(Decimal(6, 2)),
  referenzertrag Nullable(Decimal(9, 6)),
  phasenwechsel Nullable(Int32),
  ableitbarkeit LowCardinality(String),
  gesetz LowCardinality(Nullable(String)),
  art LowCardinality(Nullable(String)) COMMENT 'kind of the rate table',
  gruende Array(LowCardinality(String)) COMMENT 'why the values are not exact, or why there are none',
  raten Array(Int32) COMMENT 'lines of the rate table, of which the header is the first'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY eeg
SETTINGS {{partSettings}};

-- Operators, grid operators and other actors: organisations only (Personenart 517). The build has filled it.
CREATE TABLE marktakteure {{onCluster}} (
  mastrNummer String COMMENT 'MaStR number',
  name Nullable(String) COMMENT 'name in the register',
  marktfunktion LowCardinality(Nullable(String)) COMMENT 'market function',
  rechtsform LowCardinality(Nullable(String)) COMMENT 'legal form',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state of its address',
  plz LowCardinality(Nullable(String)) COMMENT 'postal code of its address',
  ort LowCardinality(Nullable(String)) COMMENT 'town of its address',
  marktrollen Array(String) COMMENT 'market roles; empty = none',
  anlagenAnzahl Int32 COMMENT 'served units that name it as their operator',
  gefaltet Nullable(String) COMMENT 'its name as it is searched'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY mastrNummer
SETTINGS {{partSettings}};

-- What organisations were. Who is a natural person has no row.
CREATE TABLE akteurnamen {{onCluster}} (
  mastrNummer String COMMENT 'MaStR number',
  name Nullable(String) COMMENT 'name in the register; NULL: it was no organisation',
  marktfunktion LowCardinality(Nullable(String)) COMMENT 'market function',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state of its address',
  ort LowCardinality(Nullable(String)) COMMENT 'town of its address',
  bis Int32 COMMENT 'build that had it otherwise'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (mastrNummer, bis)
SETTINGS {{partSettings}};

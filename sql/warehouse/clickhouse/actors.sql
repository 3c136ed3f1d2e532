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

-- Other names that organisations had. One that is no organisation any more has none.
CREATE TABLE akteurnamen {{onCluster}} (
  mastrNummer String COMMENT 'MaStR number',
  name Nullable(String) COMMENT 'name in the register',
  bis Int32 COMMENT 'build that had another name'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (mastrNummer, bis)
SETTINGS {{partSettings}};

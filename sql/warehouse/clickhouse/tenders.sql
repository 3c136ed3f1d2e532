-- Tenders, their awards, and the units that are linked to them. The build has filled them.

CREATE TABLE gebotstermine {{onCluster}} (
  id Int32 COMMENT 'identifier: day, technology and procedure in digits',
  technologie LowCardinality(String) COMMENT 'technology tendered',
  verfahren LowCardinality(Nullable(String)) COMMENT 'iKWK, grenzueberschreitend; NULL: the ordinary procedure',
  datum Int32 COMMENT 'bid date, days since 1970-01-01',
  status LowCardinality(String) COMMENT 'IMPORTED, PENDING, FAILED',
  bezeichnung Nullable(String) COMMENT 'name of the round',
  zuschlaege Nullable(Int32) COMMENT 'published number of awards',
  volumenAusgeschriebenKw Nullable(Decimal(18, 3)) COMMENT 'tendered, kW',
  volumenBeworbenKw Nullable(Decimal(18, 3)) COMMENT 'bid, kW',
  volumenBezuschlagtKw Nullable(Decimal(18, 3)) COMMENT 'awarded, kW',
  gebotNiedrigstesCtKwh Nullable(Decimal(6, 2)) COMMENT 'lowest awarded bid, ct/kWh',
  gebotHoechstesCtKwh Nullable(Decimal(6, 2)) COMMENT 'highest awarded bid, ct/kWh',
  zuschlagswertDurchschnittCtKwh Nullable(Decimal(6, 2)) COMMENT 'mean of the awards by volume, ct/kWh',
  einheitspreis Nullable(Bool) COMMENT 'every award has the same value',
  festePraemie Nullable(Bool) COMMENT 'a fixed premium on top of the market price',
  bekanntgabe Nullable(Int32) COMMENT 'day on which the awards count as announced, days since 1970-01-01; NULL: unknown',
  quelle Nullable(String) COMMENT 'where the figures were published',
  liste Bool COMMENT 'an award list is loaded'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY id
SETTINGS {{partSettings}};

CREATE TABLE hoechstwerte {{onCluster}} (
  gebotstermin Int32 COMMENT 'row of gebotstermine',
  hoechstwertCtKwh Decimal(6, 2) COMMENT 'cap: bids above it were excluded, ct/kWh'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY gebotstermin
SETTINGS {{partSettings}};

CREATE TABLE zuschlaege {{onCluster}} (
  id Int64 COMMENT 'gebotstermin * 100000 + number within the round',
  gebotstermin Int32 COMMENT 'row of gebotstermine',
  zuschlagsnummer Nullable(String) COMMENT 'award number',
  gebotsmengeKw Nullable(Decimal(18, 3)) COMMENT 'capacity awarded, kW',
  bundesland LowCardinality(Nullable(String)) COMMENT 'federal state',
  landkreis Nullable(String) COMMENT 'district',
  plz Nullable(String) COMMENT 'postal code',
  gemeinde Nullable(String) COMMENT 'municipality',
  gemarkung Nullable(String) COMMENT 'cadastral district',
  flurstueck Nullable(String) COMMENT 'parcels as published, in one spelling',
  flurstueckRoh Nullable(String) COMMENT 'the cell as published',
  mastrNummern Array(String) COMMENT 'numbers of the list, and units that are linked; empty = none',
  foerderNummern Array(String) COMMENT 'EEG plants; empty = none',
  foerderNummernAbgeleitet Array(String) COMMENT 'those of foerderNummern that the list does not name; empty = none',
  latitude Nullable(Decimal(9, 6)) COMMENT 'degrees',
  longitude Nullable(Decimal(9, 6)) COMMENT 'degrees',
  geoGenauigkeit LowCardinality(String) COMMENT 'EINHEIT, GEMARKUNG, GEMEINDE, LANDKREIS, KEINE',
  standortQuelle LowCardinality(Nullable(String)) COMMENT 'PUBLIKATION, REGISTER; NULL: no place at all'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY (gebotstermin, id)
SETTINGS {{partSettings}};

CREATE TABLE zuschlag_einheiten {{onCluster}} (
  einheit Int64 COMMENT 'units.nummer',
  gebotstermin Nullable(Int32) COMMENT 'row of gebotstermine; NULL: there was no such round',
  zuschlag Nullable(Int64) COMMENT 'row of zuschlaege; NULL: no list that was loaded has it',
  zuschlagsnummer Nullable(String) COMMENT 'award number',
  gebotsmengeKw Nullable(Decimal(18, 3)) COMMENT 'of the award, assigned to the plant of this unit, kW',
  zuordnung LowCardinality(String) COMMENT 'register, abgleich',
  regel LowCardinality(String) COMMENT 'registernummer, see_nummer, eeg_nummer, flurstueck',
  sicherheit LowCardinality(String) COMMENT 'sicher, wahrscheinlich'
)
ENGINE = {{replicated}}MergeTree{{ofCluster}}
ORDER BY einheit
SETTINGS {{partSettings}};

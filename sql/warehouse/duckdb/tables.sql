-- The tables of a dataset version apart from those of units (units-tables.sql). The roll-ups are filled by rollups-regions.sql.

-- One row that describes this version.
CREATE TABLE dataset (
  version VARCHAR NOT NULL,
  sequence INTEGER NOT NULL,        -- number of the build
  exportDay DATE NOT NULL,          -- day of the export it was built from
  exportLevel VARCHAR,              -- release level in the file name, e.g. 26.1
  exportName VARCHAR NOT NULL,      -- name of the file or folder read
  builtAt TIMESTAMP NOT NULL,       -- UTC
  previousVersion VARCHAR,          -- the version whose history was carried over
  hashBasis VARCHAR NOT NULL,       -- what units.inhalt depends on besides the content
  ersetztAb INTEGER,                -- units_ersetzt is complete for readers of this build and of later ones
  erfunden BOOLEAN                  -- true where the generator made the export: its units are invented
);

-- Versions from which a delta leads to this one, including itself: a reader of one of them is up to date after reading
-- everything that has changed since the build `anker`.
CREATE TABLE vorgaenger (
  version VARCHAR NOT NULL,
  sequence INTEGER NOT NULL,
  anker INTEGER NOT NULL            -- its own build for those this one was built upon; an earlier one for withdrawn ones
);

-- The versions whose state this one can still tell (docs/decisions/0024-history.md), including itself; no withdrawn one.
CREATE TABLE staende (
  version VARCHAR NOT NULL,
  sequence INTEGER NOT NULL,
  exportDay DATE NOT NULL
);

-- What organisations were, each row until the build `bis`; one that was none until then has no name. Who is a natural person has no row.
CREATE TABLE akteurnamen (
  mastrNummer VARCHAR NOT NULL,
  name VARCHAR,
  marktfunktion VARCHAR,
  bundesland VARCHAR,
  ort VARCHAR,
  bis INTEGER NOT NULL
);

-- The rows that each unit had which was not always as it is, in the order of their numbers: former ones are kept in that of builds.
CREATE TABLE units_verlauf (
  nummer BIGINT NOT NULL,
  seit INTEGER NOT NULL,            -- build in which the row began
  bis INTEGER,                      -- build in which it ended; NULL: it is served
  tabelle VARCHAR NOT NULL,         -- where the row is: units, units_ersetzt, units_departed
  spalten VARCHAR                   -- columns in which the one that followed it differs, by comma; NULL: not known
);

-- Requests to forget the past of an operator or a unit that this version has applied (ingest/commands/erase.ts).
CREATE TABLE loeschungen (
  nummer VARCHAR NOT NULL,          -- MaStR number
  am VARCHAR NOT NULL,              -- when it was asked for, RFC 3339
  von VARCHAR NOT NULL,             -- who asked for it
  zeilen INTEGER NOT NULL           -- former rows that have lost what is personal, in all builds
);

-- Operators, grid operators and other actors: organisations only (Personenart 517).
CREATE TABLE marktakteure (
  mastrNummer VARCHAR NOT NULL,
  name VARCHAR,
  marktfunktion VARCHAR,
  rechtsform VARCHAR,
  bundesland VARCHAR,
  plz VARCHAR,
  ort VARCHAR,
  marktrollen VARCHAR[],
  anlagenAnzahl INTEGER NOT NULL,   -- served units that name it as their operator
  gefaltet VARCHAR                  -- its name as it is searched
);

-- The texts that the filter suche reads, with the units that have them: names, operators, wind farms, places. A text may come
-- several times, each time with other units.
CREATE TABLE suchtexte (
  gefaltet VARCHAR NOT NULL,        -- as it is searched (macro fold_text)
  einheiten BIGINT[] NOT NULL       -- units.nummer
);

-- Every name of a unit that GET /v1/search reads, by the properties that restrict a search.
CREATE TABLE suchnamen (
  gefaltet VARCHAR NOT NULL,
  einheitTyp VARCHAR NOT NULL,
  bundesland VARCHAR,
  -- The largest unit: gross capacity, and the twelve digits of its number.
  kw DECIMAL(18, 3),
  nummer BIGINT NOT NULL,
  groesste STRUCT(nummer BIGINT, kw DECIMAL(18, 3))[] NOT NULL -- the 51 largest, largest first
);

-- Values of the register's catalogues and system lists, as this export had them.
CREATE TABLE katalogwerte (
  kategorie VARCHAR NOT NULL,       -- name of the category, or of the system list
  id INTEGER NOT NULL,
  wert VARCHAR NOT NULL
);

-- How often each rule of plausibility applied, by day of export: this build adds its own day to those of the version before.
CREATE TABLE auffaelligkeiten_verlauf (
  tag DATE NOT NULL,
  regel VARCHAR NOT NULL,           -- id of the rule; auffaellig: the conspicuous units, each once
  anzahl INTEGER NOT NULL,
  kw DECIMAL(18, 3) NOT NULL        -- gross capacity; unknown capacity adds 0
);

-- The records of the export that units depend on, each with a hash of what is kept of it: by comparing them, a night finds
-- what has changed (ingest/night).
CREATE TABLE saetze (
  tabelle VARCHAR NOT NULL,         -- staged table
  nummer BIGINT NOT NULL,           -- key of the record
  hash UBIGINT NOT NULL,
  wirkung UBIGINT                   -- hash of what other units than its own are computed with; NULL where none are, or all is
);

-- What the version was computed from besides the export, each with a digest: a night whose digests differ builds from nothing.
CREATE TABLE grundlagen (
  name VARCHAR NOT NULL,            -- programm, ausschreibungen, orte, nep
  digest VARCHAR NOT NULL
);

-- References of units that lead nowhere.
CREATE TABLE verweise_ins_leere (
  art VARCHAR NOT NULL,             -- kind of file of the unit
  verweis VARCHAR NOT NULL,         -- element
  einheit BIGINT NOT NULL           -- units.nummer
);

-- Tables of the operator (npm run ingest -- table) that this version has applied.
CREATE TABLE zusatztabellen (
  name VARCHAR NOT NULL,
  zeilen INTEGER NOT NULL,
  zugeordnet INTEGER NOT NULL       -- rows that name a unit of this version
);

-- Rounds of tenders: bid dates with the figures that were published of them (ingest/tenders).
CREATE TABLE gebotstermine (
  id INTEGER NOT NULL,
  technologie VARCHAR NOT NULL,
  verfahren VARCHAR,                -- iKWK, grenzueberschreitend; NULL: the ordinary procedure
  datum DATE NOT NULL,
  status VARCHAR NOT NULL,          -- IMPORTED, PENDING: announced, nothing published; FAILED: its list could not be loaded
  bezeichnung VARCHAR,
  zuschlaege INTEGER,               -- published number of awards
  volumenAusgeschriebenKw DECIMAL(18, 3),
  volumenBeworbenKw DECIMAL(18, 3),
  volumenBezuschlagtKw DECIMAL(18, 3),
  gebotNiedrigstesCtKwh DECIMAL(6, 2),
  gebotHoechstesCtKwh DECIMAL(6, 2),
  zuschlagswertDurchschnittCtKwh DECIMAL(6, 2),
  einheitspreis BOOLEAN,            -- every award has the same value
  festePraemie BOOLEAN,             -- a fixed premium on top of the market price
  bekanntgabe DATE,                 -- day on which the awards count as announced; NULL: unknown
  quelle VARCHAR,
  liste BOOLEAN NOT NULL            -- an award list is loaded
);

-- Caps of tender rounds: bids above them were excluded. A table of its own, as versions of an earlier release have rounds without.
CREATE TABLE hoechstwerte (
  gebotstermin INTEGER NOT NULL,    -- row of gebotstermine
  hoechstwertCtKwh DECIMAL(6, 2) NOT NULL
);

-- Awards of the lists that were loaded, without their bidders.
CREATE TABLE zuschlaege (
  id BIGINT NOT NULL,               -- gebotstermin * 100000 + number within the round
  gebotstermin INTEGER NOT NULL,    -- row of gebotstermine
  zuschlagsnummer VARCHAR,          -- in one spelling; as published where it is no award number
  gebotsmengeKw DECIMAL(18, 3),
  bundesland VARCHAR,
  landkreis VARCHAR,
  plz VARCHAR,
  gemeinde VARCHAR,
  gemarkung VARCHAR,
  flurstueck VARCHAR,               -- as published, in one spelling; parcels of the register are never here
  flurstueckRoh VARCHAR,            -- the cell as published
  mastrNummern VARCHAR[],           -- numbers of the list, and units that are linked
  foerderNummern VARCHAR[],
  foerderNummernAbgeleitet VARCHAR[], -- those of foerderNummern that the list does not name
  latitude DECIMAL(9, 6),
  longitude DECIMAL(9, 6),
  geoGenauigkeit VARCHAR NOT NULL,  -- EINHEIT, GEMARKUNG, GEMEINDE, LANDKREIS, KEINE
  standortQuelle VARCHAR            -- PUBLIKATION; REGISTER: something was filled from a linked unit; NULL: no place at all
);

-- Links of units and awards, each with its origin and its certainty.
CREATE TABLE zuschlag_einheiten (
  einheit BIGINT NOT NULL,          -- units.nummer
  gebotstermin INTEGER,             -- row of gebotstermine; NULL: there was no such round
  zuschlag BIGINT,                  -- row of zuschlaege; NULL: no list that was loaded has it
  zuschlagsnummer VARCHAR,
  gebotsmengeKw DECIMAL(18, 3),     -- of the award that was assigned to the plant of this unit
  zuordnung VARCHAR NOT NULL,       -- register: the register says so; abgleich: found by comparing with the list
  regel VARCHAR NOT NULL,           -- registernummer, see_nummer, eeg_nummer, flurstueck
  sicherheit VARCHAR NOT NULL       -- sicher, wahrscheinlich
);

-- Every combination of places that occurs, so that the roll-ups contain one small number instead of five texts.
CREATE TABLE regionen (
  region INTEGER NOT NULL,
  bundesland VARCHAR,
  landkreis VARCHAR,
  gemeinde VARCHAR,
  gemeindeschluessel VARCHAR,
  plz VARCHAR,
  landkreisgebiet INTEGER,          -- row of gebiete: the district
  gemeindegebiet INTEGER            -- row of gebiete: the municipality
);

-- The places that one spelling covers exactly (sql/query/places.ts). A place is what has one official key; where the
-- register gives no key, it is what has one name in one state. Numbers follow the order of states and names, like those of
-- regionen, so that neighbours are adjacent in the projections.
CREATE TABLE gebiete (
  ebene VARCHAR NOT NULL,           -- landkreis, gemeinde
  gebiet INTEGER NOT NULL,          -- number within the level
  wert VARCHAR NOT NULL,            -- shortest spelling that covers it and nothing else
  schluessel VARCHAR,               -- official key: 5 digits of a district, 8 of a municipality
  name VARCHAR,                     -- of several names that of most units
  bundesland VARCHAR,               -- likewise
  suchname VARCHAR,                 -- the name as it is searched: without case and diacritics
  ort VARCHAR                       -- the row of orte that it is, or has become part of; NULL: the official list has none
);

-- The rows of regionen and of gebiete in the states of earlier versions and in this one. A place keeps its number for ever.
CREATE TABLE regionen_verlauf (
  seit INTEGER NOT NULL,            -- build that had the row first
  bis INTEGER,                      -- build that did not have it any more; NULL: it is of this version
  region INTEGER NOT NULL,
  bundesland VARCHAR,
  landkreis VARCHAR,
  gemeinde VARCHAR,
  gemeindeschluessel VARCHAR,
  plz VARCHAR,
  landkreisgebiet INTEGER,          -- row of gebiete: the district
  gemeindegebiet INTEGER            -- row of gebiete: the municipality
);

CREATE TABLE gebiete_verlauf (
  seit INTEGER NOT NULL,            -- build that had the row first
  bis INTEGER,                      -- build that did not have it any more; NULL: it is of this version
  ebene VARCHAR NOT NULL,           -- landkreis, gemeinde
  gebiet INTEGER NOT NULL,          -- number within the level
  wert VARCHAR NOT NULL,            -- shortest spelling that covers it and nothing else
  schluessel VARCHAR,               -- official key: 5 digits of a district, 8 of a municipality
  name VARCHAR,                     -- of several names that of most units
  bundesland VARCHAR,               -- likewise
  suchname VARCHAR,                 -- the name as it is searched: without case and diacritics
  ort VARCHAR                       -- the row of orte that it is, or has become part of; NULL: the official list has none
);

-- The places of the official list, by which figures are divided: states, districts and municipalities.
CREATE TABLE orte (
  schluessel VARCHAR NOT NULL,      -- official key: 2, 5 or 8 digits
  name VARCHAR NOT NULL,
  einwohner INTEGER NOT NULL,       -- on einwohnerAm
  flaecheKm2 DECIMAL(18, 3) NOT NULL,
  gebietsstand DATE NOT NULL,       -- day of the list: places merged since are still apart in it
  einwohnerAm DATE NOT NULL
);

-- Roll-up with the grain of a day, ordered by region. serie names the day that counts:
--   inbetriebnahme  units with a commissioning day, and those in operation without one (tag NULL)
--   stilllegung     units with a day of final decommissioning
--   planung         units without a commissioning day that have a planned one or are In Planung (tag NULL)
--   planung_mit_inbetriebnahme  contradictory: In Planung, yet with a commissioning day (tag = planned day)
CREATE TABLE region_tage (
  serie ENUM ('inbetriebnahme', 'stilllegung', 'planung', 'planung_mit_inbetriebnahme') NOT NULL,
  region INTEGER NOT NULL,
  einheitTyp VARCHAR NOT NULL,
  statusId INTEGER,                 -- catalogue id of the operating status: 31, 35, 37, 38
  tag DATE,
  anzahl INTEGER NOT NULL,
  kw DECIMAL(18, 3) NOT NULL,       -- gross capacity; unknown capacity adds 0
  kwh DECIMAL(18, 3) NOT NULL       -- energy of storage: the shares of its units in that of their plants
);

-- The same, without places below the state: for questions about a state.
CREATE TABLE bundesland_tage (
  serie ENUM ('inbetriebnahme', 'stilllegung', 'planung', 'planung_mit_inbetriebnahme') NOT NULL,
  bundesland VARCHAR,
  einheitTyp VARCHAR NOT NULL,
  statusId INTEGER,
  tag DATE,
  anzahl INTEGER NOT NULL,
  kw DECIMAL(18, 3) NOT NULL,
  kwh DECIMAL(18, 3) NOT NULL
);

-- The same for the whole country.
CREATE TABLE deutschland_tage (
  serie ENUM ('inbetriebnahme', 'stilllegung', 'planung', 'planung_mit_inbetriebnahme') NOT NULL,
  einheitTyp VARCHAR NOT NULL,
  statusId INTEGER,
  tag DATE,
  anzahl INTEGER NOT NULL,
  kw DECIMAL(18, 3) NOT NULL,
  kwh DECIMAL(18, 3) NOT NULL
);

-- The same by the first day of the month: the whole time series of the country in a tenth of the rows.
CREATE TABLE deutschland_monate (
  serie ENUM ('inbetriebnahme', 'stilllegung', 'planung', 'planung_mit_inbetriebnahme') NOT NULL,
  einheitTyp VARCHAR NOT NULL,
  statusId INTEGER,
  tag DATE,
  anzahl INTEGER NOT NULL,
  kw DECIMAL(18, 3) NOT NULL,
  kwh DECIMAL(18, 3) NOT NULL
);

-- Units counted by one dimension at a time (sql/query/dimensions.ts), so that no request reads the whole register.
CREATE TABLE aggregationen (
  dimension VARCHAR NOT NULL,       -- name of the dimension; alle: one row over all units
  schluessel VARCHAR,               -- key of the group, of landkreis and gemeinde the row of gebiete; NULL: no value
  anzahl INTEGER NOT NULL,
  kw DECIMAL(38, 3) NOT NULL,       -- gross capacity; unknown capacity adds 0
  mitLeistung INTEGER NOT NULL,     -- units whose capacity is known
  kwh DECIMAL(38, 3) NOT NULL       -- energy of storage, each plant's once
);

-- The values of each filter that occur, by carrier (sql/query/reference-sets.ts); of flags: true and false.
CREATE TABLE referenzwerte (
  filter VARCHAR NOT NULL,          -- name of the filter
  wert VARCHAR NOT NULL,
  suchtext VARCHAR NOT NULL,        -- the value, or the name of the place, as it is searched: without case and diacritics
  einheitTyp VARCHAR NOT NULL,
  anzahl INTEGER NOT NULL
);

-- Every member of the export and what became of its records: gelesen = geladen + doppelt + abgelehnt (used tables).
CREATE TABLE dateien (
  datei VARCHAR NOT NULL,
  art VARCHAR NOT NULL,             -- kind of file, e.g. EinheitenSolar
  teil INTEGER,                     -- number of the part
  verwendung VARCHAR NOT NULL,      -- tabelle, katalog, ungenutzt, unbekannt
  bytes BIGINT NOT NULL,            -- unpacked
  gelesen BIGINT NOT NULL,
  geladen BIGINT NOT NULL,
  doppelt BIGINT NOT NULL,
  abgelehnt BIGINT NOT NULL
);

-- Everything remarkable, with its count, so that nothing is lost silently. No row contains personal data (decision 0002).
CREATE TABLE befunde (
  datei VARCHAR,
  art VARCHAR NOT NULL,             -- kind of file
  befund VARCHAR NOT NULL,          -- kind of finding, see docs/operations.md
  feld VARCHAR,                     -- element
  roh VARCHAR,                      -- text of an element that is known and not personal
  hinweis VARCHAR,                  -- of any other text its form; of a broken record what is wrong
  beispiel VARCHAR,                 -- key of the first record in which it occurs
  satz INTEGER,                     -- number of that record in the file, from 1
  anzahl BIGINT NOT NULL
);

-- One row for each EEG plant of served units other than storage: its support values with what they were computed from, so that
-- `npm run ingest -- explain` can tell how they came about. Only in this file; ids are those of the register's catalogues.
CREATE TABLE foerderung (
  eeg BIGINT NOT NULL,              -- number of the EEG plant as 64 bits
  einheit BIGINT NOT NULL,          -- units.nummer of the unit whose properties stand for those of its carrier and state
  einheitTyp VARCHAR NOT NULL,
  energietraegerId INTEGER,
  statusId INTEGER,
  inbetriebnahme DATE,
  eigenesDatum BOOLEAN NOT NULL,    -- inbetriebnahme is the plant's own day, not that of the unit
  kw DECIMAL(18, 3),
  zahlung BOOLEAN,                  -- NULL: the register says nothing
  lageId INTEGER,
  nutzungsbereichId INTEGER,
  einspeisungsartId INTEGER,
  mieterstrom BOOLEAN NOT NULL,
  seelageId INTEGER,
  pilot BOOLEAN NOT NULL,
  prototyp BOOLEAN NOT NULL,
  ertragSchaetzung DECIMAL(18, 3),  -- yield ratios of wind as in the register
  ertrag5 DECIMAL(18, 3),
  ertrag10 DECIMAL(18, 3),
  ertrag15 DECIMAL(18, 3),
  suedregion BOOLEAN,               -- NULL: unknown
  hauptbrennstoffId INTEGER,
  biomasseartId INTEGER,
  technologieId INTEGER,
  wasserkraftartId INTEGER,
  ertuechtigt BOOLEAN NOT NULL,     -- hydro: the register knows of upgrades
  buergerenergie BOOLEAN NOT NULL,
  davorKw DECIMAL(18, 3),           -- capacity of plants that count as one with it and come before it; NULL: unknown
  zuschlaege STRUCT(
    gebotstermin INTEGER, technologie VARCHAR, datum DATE, bekanntgabe DATE, mittel DECIMAL(6, 2), hoechstes DECIMAL(6, 2),
    einheitspreis BOOLEAN, festePraemie BOOLEAN, mengeKw DECIMAL(18, 3), flurstueckGleich BOOLEAN
  )[],
  hatZuschlag BOOLEAN NOT NULL,     -- the register says that there is an award
  foerderbeginn DATE,
  foerderende DATE,
  verguetung DECIMAL(6, 2),
  anzulegenderWert DECIMAL(6, 2),
  referenzertrag DECIMAL(9, 6),
  phasenwechsel DATE,
  ableitbarkeit VARCHAR NOT NULL,
  gesetz VARCHAR,
  art VARCHAR,                      -- kind of the rate table
  gruende VARCHAR[],                -- why the values are not exact, or why there are none
  raten INTEGER[]                   -- lines of the rate table, of which the header is the first
);

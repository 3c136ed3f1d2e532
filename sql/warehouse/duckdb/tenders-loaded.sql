-- The tenders that were loaded: the rounds, which are served as they are, and the awards of the lists, which
-- tenders-awards.sql completes from the register.

CREATE TABLE scratch.loaded_rounds AS
SELECT * FROM read_json({{rounds}}, format = 'newline_delimited', columns = {
  id: 'INTEGER', technologie: 'VARCHAR', verfahren: 'VARCHAR', datum: 'DATE', status: 'VARCHAR', bezeichnung: 'VARCHAR',
  zuschlaege: 'INTEGER', volumenAusgeschriebenKw: 'DECIMAL(18, 3)', volumenBeworbenKw: 'DECIMAL(18, 3)',
  volumenBezuschlagtKw: 'DECIMAL(18, 3)', gebotNiedrigstesCtKwh: 'DECIMAL(6, 2)', gebotHoechstesCtKwh: 'DECIMAL(6, 2)',
  zuschlagswertDurchschnittCtKwh: 'DECIMAL(6, 2)', hoechstwertCtKwh: 'DECIMAL(6, 2)', einheitspreis: 'BOOLEAN', festePraemie: 'BOOLEAN',
  bekanntgabe: 'DATE', quelle: 'VARCHAR', liste: 'BOOLEAN', groesstesGebotKw: 'DECIMAL(18, 3)'
});

INSERT INTO gebotstermine BY NAME SELECT * EXCLUDE (hoechstwertCtKwh, groesstesGebotKw) FROM loaded_rounds ORDER BY id;

INSERT INTO hoechstwerte
SELECT id, hoechstwertCtKwh FROM loaded_rounds WHERE hoechstwertCtKwh IS NOT NULL ORDER BY id;

CREATE TABLE scratch.listed_awards AS
SELECT * FROM read_json({{awards}}, format = 'newline_delimited', columns = {
  id: 'BIGINT', gebotstermin: 'INTEGER', zuschlagsnummer: 'VARCHAR', gebotsmengeKw: 'DECIMAL(18, 3)',
  bundesland: 'VARCHAR', landkreis: 'VARCHAR', plz: 'VARCHAR', gemeinde: 'VARCHAR', gemarkung: 'VARCHAR',
  flurstueck: 'VARCHAR', flurstueckRoh: 'VARCHAR', mastrNummern: 'VARCHAR[]', foerderNummern: 'VARCHAR[]'
});

-- The most capacity that the units of an award can have: what was awarded and a little that is paid beyond it. Most lists
-- have no volumes; then it is the law's largest bid of that time and what the whole round awarded or, where that is unknown, offered, whichever is less.
CREATE TABLE scratch.award_limits AS
SELECT
  listed_awards.id AS zuschlag,
  -- least() passes over what is unknown, which is what is meant here: either of the two bounds.
  coalesce(gebotsmengeKw, least(groesstesGebotKw, coalesce(volumenBezuschlagtKw, volumenAusgeschriebenKw))) * 1.15 AS hoechstensKw
FROM listed_awards JOIN loaded_rounds ON loaded_rounds.id = listed_awards.gebotstermin;

-- The carriers that can win in a technology, and the months after the announcement within which a plant must run. They only
-- restrict the comparison of parcels, so they are the longest that the law and its extensions had.
CREATE TABLE scratch.technologies (technologie VARCHAR, einheitTypen VARCHAR[], monate INTEGER);
INSERT INTO technologies VALUES
  ('WIND', ['wind'], 48),
  ('WIND_SEE', ['wind'], 120),
  ('SOLAR_FREIFLAECHE', ['solar'], 32),
  ('SOLAR_DACH', ['solar'], 32),
  ('GEMEINSAM', ['solar', 'wind'], 48),
  ('INNOVATION', ['solar', 'wind', 'storage', 'biomass', 'hydro'], 42),
  ('BIOMASSE', ['biomass', 'combustion'], 48),
  ('BIOMETHAN', ['biomass', 'combustion'], 48),
  ('KWK', ['combustion', 'biomass', 'geothermal'], 60);

-- The award numbers of plants as the register has them; a plant of renewable energy also has its part of the bid.
CREATE TABLE scratch.plant_texts AS
SELECT
  EegMaStRNummer AS plant,
  'eeg' AS kind,
  replace(Zuschlagsnummer, chr(31), ';') AS text,
  award_numbers(Zuschlagsnummer) AS shown,
  ZugeordneteGebotsmenge AS kw
FROM eeg WHERE Zuschlagsnummer IS NOT NULL
UNION ALL
SELECT KwkMastrNummer, 'kwk', Zuschlagnummer, NULL, NULL FROM kwk WHERE Zuschlagnummer IS NOT NULL;

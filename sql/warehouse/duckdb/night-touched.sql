-- The units of which an input has changed: their own record, one that they refer to, or the day; and of these the ones with which the
-- values of others may change (night-spread.sql).

-- Operators of grids: the points of their grids, now and then.
CREATE TABLE scratch.changed_points AS
WITH
operators AS (SELECT nummer FROM changed WHERE tabelle = 'akteur'),
grids AS (
  SELECT mastr_bits(trim(unnest(split_list(Netz)))) AS nummer FROM akteur WHERE Netz IS NOT NULL AND MastrNummer IN (FROM operators)
)
SELECT nummer FROM changed WHERE tabelle = 'punkt'
UNION
SELECT NetzanschlusspunktMastrNummer FROM punkt
WHERE NetzbetreiberMaStRNummer IN (FROM operators)
  OR NetzMaStRNummer IN (FROM grids)
  OR BilanzierungsgebietNetzanschlusspunktId IN (SELECT nummer FROM changed WHERE tabelle = 'bilanzierungsgebiet');

CREATE TABLE scratch.changed_locations AS
WITH own AS (
  SELECT nummer FROM changed WHERE tabelle = 'lokation'
  UNION
  SELECT location FROM located_points WHERE location IS NOT NULL AND NetzanschlusspunktMastrNummer IN (FROM changed_points)
)
FROM own
UNION
SELECT andere FROM locations_of_point WHERE lokation IN (FROM own);

-- The inputs of some units in the version before.
CREATE TABLE scratch.ties_before AS
SELECT
  nummer,
  mastr_bits(lokationMastrNummer) AS lokation,
  mastr_bits(eegMastrNummer) AS eeg,
  mastr_bits(speicherMastrNummer) AS speicher,
  CASE
    WHEN bruttoleistungKw >= 30 AND eegMastrNummer IS NOT NULL AND einheitTyp NOT IN ('wind', 'storage') THEN gemeindeschluessel
  END AS gemeinde,
  CASE WHEN einheitTyp IN ('wind', 'solar') THEN floor(longitude * 1000)::INTEGER END AS spalte,
  CASE WHEN einheitTyp IN ('wind', 'solar') THEN floor(latitude * 1000)::INTEGER END AS zeile
FROM previous_version.units
WHERE nummer IN (SELECT nummer FROM changed WHERE tabelle IN ('einheit', 'geloescht'))
  OR netzanschlusspunktMastrNummer IN (SELECT mastr(nummer) FROM changed_points)
  OR netzbetreiberMastrNummer IN (SELECT mastr(nummer) FROM changed WHERE tabelle = 'akteur')
  OR speicherMastrNummer IN (SELECT mastr(nummer) FROM changed WHERE tabelle = 'speicher');

-- What is computed for a day turns with it: signals, rules, and support values; and a day that was planned for the first time in the
-- version before stands for longer now.
CREATE TABLE scratch.turned AS
SELECT nummer FROM previous_version.units
WHERE {{dayBefore}} <> {{day}} AND (
  ({{signals}}) <> signals
  OR ({{rulesNow}}) <> ({{rulesThen}})
  OR geplantesInbetriebnahmedatum IS NOT NULL AND letzterPlantagVom <= ersterPlantagVom
)
UNION
SELECT ties.nummer FROM ties SEMI JOIN (
  SELECT eeg FROM previous_version.foerderung
  WHERE {{dayBefore}} <> {{day}} AND (
    inbetriebnahme > {{dayBefore}} AND inbetriebnahme <= {{day}}
    OR inbetriebnahme + INTERVAL 5 YEAR > {{dayBefore}} AND inbetriebnahme + INTERVAL 5 YEAR <= {{day}}
    OR phasenwechsel > {{dayBefore}} AND phasenwechsel <= {{day}}
    OR foerderende >= {{dayBefore}} AND foerderende < {{day}}
    -- The support of biomass plants that follow an award turns months after it, by rules that read the law of that time.
    OR len(zuschlaege) > 0 AND einheitTyp IN ('biomass', 'combustion')
  )
) AS turning USING (eeg);

-- Links with awards are made for all units, as those of an award depend on each other.
CREATE TABLE scratch.spreading AS
SELECT nummer FROM changed WHERE tabelle IN ('einheit', 'geloescht') AND wirkt
UNION
SELECT nummer FROM ties
WHERE eeg IN (SELECT nummer FROM changed WHERE tabelle = 'eeg' AND wirkt)
  OR speicher IN (SELECT nummer FROM changed WHERE tabelle = 'speicher')
UNION
SELECT nummer FROM ties_before WHERE speicher IN (SELECT nummer FROM changed WHERE tabelle = 'speicher')
UNION
SELECT einheit FROM named_by_plants WHERE anlage IN (SELECT nummer FROM changed WHERE tabelle = 'speicher')
UNION
SELECT einheit FROM (
  (FROM zuschlag_einheiten EXCEPT FROM previous_version.zuschlag_einheiten)
  UNION ALL
  (FROM previous_version.zuschlag_einheiten EXCEPT FROM zuschlag_einheiten)
);

CREATE TABLE scratch.touched AS
SELECT nummer FROM changed WHERE tabelle IN ('einheit', 'geloescht')
UNION
SELECT nummer FROM ties_before
UNION
FROM turned
UNION
SELECT nummer FROM ties
WHERE eeg IN (SELECT nummer FROM changed WHERE tabelle = 'eeg')
  OR kwk IN (SELECT nummer FROM changed WHERE tabelle = 'kwk')
  OR genehmigung IN (SELECT nummer FROM changed WHERE tabelle = 'genehmigung')
  OR betreiber IN (SELECT nummer FROM changed WHERE tabelle = 'akteur')
  OR lokation IN (FROM changed_locations)
UNION
-- What stood at one point with units of a location that has changed; the point may be none of it any more.
SELECT nummer FROM previous_version.units WHERE netzanschlusspunktMastrNummer IN (
  SELECT netzanschlusspunktMastrNummer FROM previous_version.units
  WHERE lokationMastrNummer IN (SELECT mastr(nummer) FROM changed_locations)
)
UNION
-- A place may have become another one where only other units have changed.
SELECT nummer FROM previous_version.units WHERE region IN (
  SELECT region FROM regionen JOIN previous_version.regionen AS before USING (region)
  WHERE (regionen.landkreisgebiet, regionen.gemeindegebiet) IS DISTINCT FROM (before.landkreisgebiet, before.gemeindegebiet)
);

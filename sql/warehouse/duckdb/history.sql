-- units.sql compares units with the previous version, attached as `previous_version`.

CREATE VIEW scratch.previous_units AS
SELECT
  nummer, inhalt, inhaltSeit, gueltigSeit, true AS served,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom,
  last_planned_on(u, (SELECT exportDay FROM previous_version.dataset)) AS zuletztGeplant,
  betreiberMastrNummer, betreiberSeit, signals, auffaelligkeiten, vorschlag, history_hash(u) AS history_hash
FROM (
  -- Of a row that is handed to a macro the engine reads all columns.
  SELECT
    nummer, {{previousHash}} AS inhalt, inhaltSeit, {{gueltigSeit}} AS gueltigSeit,
    ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom,
    geplantesInbetriebnahmedatum, inbetriebnahmedatum,
    betreiberMastrNummer, {{betreiberSeit}} AS betreiberSeit, {{signals}} AS signals,
    {{auffaelligkeiten}} AS auffaelligkeiten, {{vorschlag}} AS vorschlag
  FROM previous_version.units
) AS u
UNION ALL
SELECT
  nummer, 0, inhaltSeit, inhaltSeit, false,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom, letzterPlantagVom,
  betreiberMastrNummer, {{betreiberSeit}}, 0, NULL, NULL, 0
FROM previous_version.units_departed;

-- The hash of a present unit by what the release of the previous version knew of it; NULL where this one knows the same.
CREATE MACRO scratch.registered_hash(u) AS {{registeredHash}};

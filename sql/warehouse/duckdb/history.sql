-- units.sql compares units with the previous version, attached as `previous_version`: with all of them, or some.

CREATE VIEW scratch.previous_units AS
SELECT
  nummer, {{previousHash}} AS inhalt, inhaltSeit, true AS served,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom,
  last_planned_on(u, (SELECT exportDay FROM previous_version.dataset)) AS zuletztGeplant,
  betreiberMastrNummer, {{betreiberSeit}} AS betreiberSeit, {{signals}} AS signals,
  {{auffaelligkeiten}} AS auffaelligkeiten, {{vorschlag}} AS vorschlag, history_hash(u) AS history_hash
FROM previous_version.units AS u
WHERE {{among}}
UNION ALL
SELECT
  nummer, 0, inhaltSeit, false,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom, letzterPlantagVom,
  betreiberMastrNummer, {{betreiberSeit}}, 0, NULL, NULL, 0
FROM previous_version.units_departed
WHERE {{among}};

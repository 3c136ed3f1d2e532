-- What units.sql compares with: the version before, attached as `vorige`, and older exports.

CREATE TEMP VIEW vorige_units AS
SELECT
  mastrNummer, {{previousHash}} AS inhalt, inhaltSeit, true AS served,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom,
  betreiberMastrNummer, {{betreiberSeit}} AS betreiberSeit, {{signals}} AS signals, geschichte(u) AS geschichte
FROM vorige.units AS u
UNION ALL
SELECT
  mastrNummer, 0, inhaltSeit, false,
  ersteRegistrierung, ersterPlantag, ersterPlantagVom, letzterPlantag, letzterPlantagVom,
  betreiberMastrNummer, {{betreiberSeit}}, 0, 0
FROM vorige.units_departed;

-- The first version: nothing to compare with.

CREATE VIEW scratch.previous_units AS
SELECT
  NULL::BIGINT AS nummer, NULL::UBIGINT AS inhalt, NULL::INTEGER AS inhaltSeit, NULL::INTEGER AS gueltigSeit, false AS served,
  NULL::DATE AS ersteRegistrierung, NULL::DATE AS ersterPlantag, NULL::DATE AS ersterPlantagVom,
  NULL::DATE AS letzterPlantag, NULL::DATE AS letzterPlantagVom, NULL::DATE AS zuletztGeplant,
  NULL::VARCHAR AS betreiberMastrNummer, NULL::DATE AS betreiberSeit, NULL::UINTEGER AS signals,
  NULL::UBIGINT AS auffaelligkeiten, NULL::VARCHAR AS vorschlag,
  NULL::UBIGINT AS history_hash
WHERE false;

CREATE MACRO scratch.registered_hash(u) AS NULL::UBIGINT;

-- Rounds, newest first: their ids begin with the bid date.
SELECT
  CAST(tender.id AS INTEGER) AS id,
  tender.technologie AS technologie,
  {{datum}} AS datum,
  tender.status AS status,
  tender.bezeichnung AS bezeichnung,
  CAST(tender.zuschlaege AS INTEGER) AS zuschlaege,
  CAST(tender.volumenBeworbenKw AS DOUBLE) AS "volumenBeworbenKw",
  CAST(tender.volumenBezuschlagtKw AS DOUBLE) AS "volumenBezuschlagtKw",
  CAST(tender.volumenAusgeschriebenKw AS DOUBLE) AS "volumenAusgeschriebenKw",
  CAST(tender.gebotNiedrigstesCtKwh AS DOUBLE) AS "gebotNiedrigstesCtKwh",
  CAST(tender.gebotHoechstesCtKwh AS DOUBLE) AS "gebotHoechstesCtKwh",
  CAST(tender.zuschlagswertDurchschnittCtKwh AS DOUBLE) AS "zuschlagswertDurchschnittCtKwh",
  {{cap}} AS "hoechstwertCtKwh"
FROM gebotstermine AS tender
{{caps}}
{{where}}
ORDER BY tender.id DESC
LIMIT $limit

-- The measures of the checks: n of "of" records have the fault. One row for each check, field or element, and carrier or
-- kind of file. Only narrow columns are read.

WITH
gelesen AS (
  SELECT art, sum(gelesen - abgelehnt) AS anzahl FROM dateien GROUP BY art
),
gaps AS (
  UNPIVOT (
    SELECT
      einheitTyp,
      count(*) AS total,
      count(*) - count(betriebsStatus) AS betriebsStatus,
      count(*) - count(bundesland) AS bundesland,
      count(*) - count(bruttoleistungKw) AS bruttoleistungKw,
      count(*) - count(betreiberMastrNummer) AS betreiberMastrNummer
    FROM units GROUP BY einheitTyp
  )
  ON COLUMNS(* EXCLUDE (einheitTyp, total)) INTO NAME feld VALUE anzahl
)
SELECT 'references' AS "check", verweis AS what, art AS "where", coalesce(leer.anzahl, 0) AS n, totals.anzahl AS "of"
FROM reference_totals AS totals
LEFT JOIN (SELECT art, verweis, count(*) AS anzahl FROM verweise_ins_leere GROUP BY ALL) AS leer USING (art, verweis)
UNION ALL
-- Connection points name few operators and areas, so these are looked up once each.
SELECT 'references', 'NetzbetreiberMaStRNummer', 'Netzanschlusspunkte', count(*) FILTER (akteur IS NULL), count(*)
FROM punkt
LEFT JOIN (
  SELECT MastrNummer AS akteur FROM akteur
  SEMI JOIN (SELECT DISTINCT NetzbetreiberMaStRNummer FROM punkt) ON MastrNummer = NetzbetreiberMaStRNummer
) ON akteur = NetzbetreiberMaStRNummer
WHERE NetzbetreiberMaStRNummer IS NOT NULL
UNION ALL
SELECT
  'references',
  'BilanzierungsgebietNetzanschlusspunktId',
  'Netzanschlusspunkte',
  count(*) FILTER (gebiet.id IS NULL),
  count(*)
FROM punkt LEFT JOIN gebiet ON gebiet.id = BilanzierungsgebietNetzanschlusspunktId
WHERE BilanzierungsgebietNetzanschlusspunktId IS NOT NULL
UNION ALL
SELECT 'labels', feld, art, sum(befunde.anzahl), any_value(gelesen.anzahl)
FROM befunde JOIN gelesen USING (art)
WHERE befund = 'katalog_id_unbekannt'
GROUP BY feld, art
UNION ALL
SELECT 'names', 'Firmenname', 'Marktakteure', count(*) FILTER (Firmenname IS NULL), count(*)
FROM akteur WHERE Personenart_id = 517
UNION ALL
SELECT 'gaps', feld, einheitTyp, anzahl, total FROM gaps
ORDER BY ALL;

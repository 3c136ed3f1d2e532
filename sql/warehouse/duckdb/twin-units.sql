-- Units in operation at the point of another, for the rules of plausibility: wind turbines within a few metres, and solar plants that are
-- alike in all that tells plants apart but their operators. Only units from 30 kW on have coordinates, which is one of all in fifteen,
-- and few of them share a point; of places where many do, each point is compared once.

CREATE TABLE scratch.twin_units AS
WITH located AS MATERIALIZED (
  SELECT
    EinheitMastrNummer AS einheit, _art AS art, Laengengrad::DOUBLE AS laenge, Breitengrad::DOUBLE AS breite, Bruttoleistung AS brutto,
    Nettonennleistung AS netto, AnzahlModule AS module, Inbetriebnahmedatum AS tag, AnlagenbetreiberMastrNummer AS betreiber,
    NetzbetreiberpruefungStatus_id AS pruefung
  FROM served_units
  WHERE _art IN ('EinheitenWind', 'EinheitenSolar') AND EinheitBetriebsstatus_id = 35
    AND Bruttoleistung >= 30 AND ab30Kw AND Laengengrad IS NOT NULL AND Breitengrad IS NOT NULL
),
-- The points of turbines, by squares of 0.0005 degrees, some 35 metres: what is within 30 metres lies in the same or in the next one.
points AS MATERIALIZED (
  SELECT laenge, breite, count(*) AS anzahl, floor(laenge * 2000)::INTEGER AS spalte, floor(breite * 2000)::INTEGER AS zeile
  FROM located
  WHERE art = 'EinheitenWind'
  GROUP BY laenge, breite
),
close AS (
  SELECT laenge, breite, min(abstandM) AS abstandM
  FROM (
    SELECT laenge, breite, 0::DOUBLE AS abstandM FROM points WHERE anzahl > 1
    UNION ALL
    SELECT one.laenge, one.breite, sqrt(
      pow((one.breite - other.breite) * 111320, 2) + pow((one.laenge - other.laenge) * 111320 * cos(radians(one.breite)), 2)
    )
    FROM (
      SELECT
        laenge, breite,
        spalte + unnest([-1, 0, 1, -1, 0, 1, -1, 0, 1]) AS spalte,
        zeile + unnest([-1, -1, -1, 0, 0, 0, 1, 1, 1]) AS zeile
      FROM points
    ) AS one
    -- By columns of either side: sums in the condition of the join would have each point compared with all others.
    JOIN points AS other ON other.spalte = one.spalte AND other.zeile = one.zeile
    WHERE one.laenge <> other.laenge OR one.breite <> other.breite
  )
  WHERE abstandM <= {{samePointM}}
  GROUP BY laenge, breite
),
crowded AS MATERIALIZED (
  SELECT * FROM located
  SEMI JOIN (
    SELECT laenge, breite FROM located WHERE art = 'EinheitenSolar' GROUP BY ALL HAVING min(einheit) < max(einheit)
  ) USING (laenge, breite)
  WHERE art = 'EinheitenSolar'
),
-- Of two entries of a plant, the grid operator has checked the one that it knows (2954); the other waits (2955).
checked AS (
  SELECT laenge, breite, brutto, netto, module, tag, min(betreiber) AS einer, max(betreiber) AS anderer
  FROM crowded
  WHERE pruefung = 2954
  GROUP BY ALL
)
SELECT einheit, abstandM AS abstandTurbineM, NULL::BOOLEAN AS doppelt
FROM located JOIN close USING (laenge, breite)
WHERE art = 'EinheitenWind'
UNION ALL
SELECT einheit, NULL, true
FROM crowded JOIN checked USING (laenge, breite, brutto, netto, module, tag)
WHERE pruefung = 2955 AND (betreiber <> einer OR betreiber <> anderer);

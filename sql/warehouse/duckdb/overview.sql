-- The small tables, from complete larger ones: the roll-ups of states and country, and the organisations.

INSERT INTO bundesland_tage
SELECT serie, bundesland, einheitTyp, statusId, tag, sum(anzahl), sum(kw)
FROM region_tage JOIN regionen USING (region)
GROUP BY ALL
ORDER BY serie, bundesland, einheitTyp, tag;

INSERT INTO deutschland_tage
SELECT serie, einheitTyp, statusId, tag, sum(anzahl), sum(kw)
FROM bundesland_tage
GROUP BY ALL
ORDER BY serie, einheitTyp, tag;

INSERT INTO deutschland_monate
SELECT serie, einheitTyp, statusId, date_trunc('month', tag), sum(anzahl), sum(kw)
FROM deutschland_tage
GROUP BY ALL
ORDER BY ALL;

INSERT INTO marktakteure
WITH
rollen AS (
  SELECT MarktakteurMastrNummer AS nummer, list(DISTINCT Marktrolle ORDER BY Marktrolle) AS rollen
  FROM rolle
  WHERE Marktrolle IS NOT NULL
  GROUP BY ALL
),
einheiten AS (
  SELECT betreiberMastrNummer AS nummer, count(*) AS anzahl FROM units
  WHERE betreiberName IS NOT NULL
  GROUP BY ALL
)
SELECT
  mastr(akteur.MastrNummer), Firmenname, Marktfunktion, Rechtsform, Bundesland, Postleitzahl, Ort,
  rollen.rollen, coalesce(einheiten.anzahl, 0), fold_text(Firmenname)
FROM akteur
LEFT JOIN rollen ON rollen.nummer = akteur.MastrNummer
LEFT JOIN einheiten ON einheiten.nummer = mastr(akteur.MastrNummer)
WHERE Personenart_id = 517
-- Names with the same beginning lie together, since searches look for beginnings first.
ORDER BY fold_text(Firmenname), akteur.MastrNummer;

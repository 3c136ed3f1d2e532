-- The organisations, with the number of their units.

INSERT INTO marktakteure
WITH
rollen AS (
  SELECT MarktakteurMastrNummer AS nummer, list(DISTINCT Marktrolle ORDER BY Marktrolle) AS rollen
  FROM rolle
  WHERE Marktrolle IS NOT NULL
  GROUP BY ALL
),
einheiten AS (
  SELECT betreiberMastrNummer AS nummer, count(*) AS anzahl FROM units_by_number
  WHERE betreiberName IS NOT NULL
  GROUP BY ALL
)
SELECT
  mastr(akteur.MastrNummer), Firmenname, Marktfunktion, Rechtsform, Bundesland, postal_code(Postleitzahl, Bundesland), Ort,
  rollen.rollen, coalesce(einheiten.anzahl, 0), fold_text(Firmenname)
FROM akteur
LEFT JOIN rollen ON rollen.nummer = akteur.MastrNummer
LEFT JOIN einheiten ON einheiten.nummer = akteur.MastrNummer
WHERE Personenart_id = 517
-- Names with the same beginning lie together, since searches look for beginnings first.
ORDER BY fold_text(Firmenname), akteur.MastrNummer;

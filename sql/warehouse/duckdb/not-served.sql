-- Findings about records that were loaded but are not served, about lost zeros that were put back, and about references that
-- lead nowhere.

INSERT INTO befunde (art, befund, beispiel, anzahl)
SELECT art, befund, min(mastr(nummer)), count(*) FROM unserved_units GROUP BY ALL;

INSERT INTO befunde (art, befund, anzahl)
SELECT 'Marktakteure', 'natuerliche_person', count(*)
FROM akteur WHERE Personenart_id IS DISTINCT FROM 517
HAVING count(*) > 0;

INSERT INTO befunde (art, befund, feld, beispiel, anzahl)
SELECT art, 'fuehrende_null_ergaenzt', feld, mastr(min(nummer)), count(*)
FROM (
  FROM padded_units
  UNION ALL
  SELECT 'Marktakteure', 'Postleitzahl', MastrNummer
  FROM akteur WHERE Personenart_id = 517 AND postal_code(Postleitzahl, Bundesland) <> Postleitzahl
)
GROUP BY ALL;

INSERT INTO befunde (art, befund, feld, beispiel, anzahl)
SELECT art, 'verweis_ins_leere', verweis, mastr(min(einheit)), count(*)
FROM verweise_ins_leere
GROUP BY ALL;

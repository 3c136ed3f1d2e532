-- Findings about records that were loaded but are not served, and about references that lead nowhere.

INSERT INTO befunde (art, befund, beispiel, anzahl)
SELECT _art, befund, min(mastr(EinheitMastrNummer)), count(*)
FROM (
  SELECT
    _art,
    EinheitMastrNummer,
    CASE
      WHEN EinheitMastrNummer NOT BETWEEN mastr_bits('SEE000000000000') AND mastr_bits('SEE999999999999')
        THEN 'keine_stromeinheit'
      WHEN coalesce(EinheitSystemstatus_id, 472) IN (473, 572) OR EinheitMastrNummer IN (SELECT nummer FROM deleted_units)
        THEN 'geloescht_oder_deaktiviert'
    END AS befund
  FROM einheit
)
WHERE befund IS NOT NULL
GROUP BY ALL;

INSERT INTO befunde (art, befund, anzahl)
SELECT 'Marktakteure', 'natuerliche_person', count(*)
FROM akteur WHERE Personenart_id IS DISTINCT FROM 517
HAVING count(*) > 0;

INSERT INTO befunde (art, befund, feld, beispiel, anzahl)
SELECT art, 'verweis_ins_leere', reference, mastr(min(beispiel)), sum(dangling)
FROM reference_counts
WHERE dangling > 0
GROUP BY ALL;

-- Records that were loaded and are not served all the same, and references that lead nowhere, with their counts.

INSERT INTO befunde
SELECT NULL, _art, befund, NULL, NULL, min(mastr(EinheitMastrNummer)), count(*)
FROM (
  SELECT
    _art,
    EinheitMastrNummer,
    CASE
      WHEN EinheitMastrNummer NOT BETWEEN mastr_bits('SEE000000000000') AND mastr_bits('SEE999999999999')
        THEN 'keine_stromeinheit'
      WHEN coalesce(EinheitSystemstatus_id, 472) IN (473, 572) OR EinheitMastrNummer IN (SELECT nummer FROM abgegangen)
        THEN 'geloescht_oder_deaktiviert'
    END AS befund
  FROM einheit
)
WHERE befund IS NOT NULL
GROUP BY ALL;

INSERT INTO befunde
SELECT NULL, 'Marktakteure', 'natuerliche_person', NULL, NULL, NULL, count(*)
FROM akteur WHERE Personenart_id IS DISTINCT FROM 517
HAVING count(*) > 0;

INSERT INTO befunde
SELECT NULL, art, 'verweis_ins_leere', verweis, NULL, mastr(min(beispiel)), sum(anzahl)
FROM verweise_ins_leere
GROUP BY ALL;

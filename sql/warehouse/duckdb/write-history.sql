-- The days of an older export that the history needs.

COPY (
  SELECT
    mastr(EinheitMastrNummer) AS mastrNummer,
    DATE '{{exportDay}}' AS exportDay,
    GeplantesInbetriebnahmedatum AS plantag,
    Registrierungsdatum AS registrierung
  FROM einheit
  ORDER BY 1
) TO {{file}} (FORMAT parquet);

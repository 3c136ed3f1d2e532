-- The units of each kind of file that have each reference; those of which it leads nowhere stand in verweise_ins_leere.

CREATE TABLE scratch.reference_totals AS
UNPIVOT (
  SELECT
    _art AS art,
    count(EegMaStRNummer) AS EegMaStRNummer,
    count(KwkMaStRNummer) AS KwkMaStRNummer,
    count(SpeMastrNummer) AS SpeMastrNummer,
    count(GenMastrNummer) AS GenMastrNummer,
    count(AnlagenbetreiberMastrNummer) AS AnlagenbetreiberMastrNummer,
    count(LokationMaStRNummer) AS LokationMaStRNummer,
    count(nummer) AS NetzanschlusspunkteMaStRNummern
  FROM served_units
  LEFT JOIN (SELECT MastrNummer AS nummer FROM lokation WHERE NetzanschlusspunkteMaStRNummern IS NOT NULL) ON nummer = LokationMaStRNummer
  GROUP BY ALL
)
ON COLUMNS(* EXCLUDE (art)) INTO NAME verweis VALUE anzahl;

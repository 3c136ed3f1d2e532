-- The account of the operator's list. Rows that name no unit are a finding.

CREATE TABLE scratch.matched_nep AS
SELECT
  nep.*,
  nummer IN (SELECT mastr_bits(mastrNummer) FROM units WHERE nepGelistet)
  OR kraftwerksnummer IN (SELECT upper(kraftwerksnummer) FROM units WHERE nepGelistet) AS matched
FROM nep;

INSERT INTO zusatztabellen
SELECT 'nep', count(*), count(*) FILTER (matched) FROM matched_nep;

INSERT INTO befunde (art, befund, beispiel, anzahl)
SELECT 'nep', 'tabellenzeile_ohne_einheit', min(coalesce(mastr(nummer), kraftwerksnummer)), count(*)
FROM matched_nep
WHERE matched IS NOT TRUE
HAVING count(*) > 0;

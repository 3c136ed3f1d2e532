-- What organisations were: until this build had them otherwise, left them out, or had them first. Who has become a natural person has no
-- past; who has left the register keeps it.

INSERT INTO akteurnamen BY NAME
WITH
organisations AS (
  SELECT mastr(MastrNummer) AS mastrNummer, Firmenname AS name, Marktfunktion AS marktfunktion, Bundesland AS bundesland, Ort AS ort
  FROM akteur
  WHERE Personenart_id = 517
),
others AS (SELECT mastr(MastrNummer) AS mastrNummer FROM akteur WHERE Personenart_id IS DISTINCT FROM 517),
former AS (SELECT {{columns}} FROM previous_version.marktakteure)
SELECT * FROM ({{before}}) AS earlier ANTI JOIN others USING (mastrNummer)
UNION ALL BY NAME
SELECT *, {{sequence}} AS bis FROM (FROM former EXCEPT SELECT {{columns}} FROM organisations) AS ended ANTI JOIN others USING (mastrNummer)
UNION ALL BY NAME
SELECT mastrNummer, {{sequence}} AS bis FROM organisations ANTI JOIN former USING (mastrNummer);

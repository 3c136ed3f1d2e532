-- The former names of organisations: who is none any more, or has become a natural person, has none.

INSERT INTO akteurnamen
WITH organisations AS (
  SELECT mastr(MastrNummer) AS mastrNummer, Firmenname AS name FROM akteur WHERE Personenart_id = 517
)
SELECT mastrNummer, name, bis FROM ({{before}}) AS earlier SEMI JOIN organisations USING (mastrNummer)
UNION ALL
SELECT mastrNummer, former.name, {{sequence}}
FROM previous_version.marktakteure AS former JOIN organisations AS now USING (mastrNummer)
WHERE former.name IS DISTINCT FROM now.name;

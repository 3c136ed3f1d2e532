-- The former names of organisations: who is none any more, or has become a natural person, has none.

INSERT INTO akteurnamen
{{before}}
SELECT mastrNummer, former.name, {{sequence}} AS bis
FROM previous_version.marktakteure AS former JOIN marktakteure AS now USING (mastrNummer)
WHERE former.name IS DISTINCT FROM now.name;

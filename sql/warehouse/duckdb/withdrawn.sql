-- A version that was served and withdrawn (rolled back), attached as `withdrawn_version`: the units in which it differs from
-- the version `{{common}}`, from which both descend, count as changed by this build. Then a delta leads from it to here.

CREATE OR REPLACE TABLE scratch.differing AS
SELECT mastrNummer FROM withdrawn_version.units WHERE inhaltSeit > {{commonThere}}
UNION
SELECT mastrNummer FROM withdrawn_version.units_departed WHERE abgangSeit > {{commonThere}};

INSERT INTO units_ersetzt BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM withdrawn_version.units SEMI JOIN differing USING (mastrNummer) SEMI JOIN units USING (mastrNummer);

UPDATE units SET inhaltSeit = {{sequence}} WHERE mastrNummer IN (FROM differing);

UPDATE units_departed SET abgangSeit = {{sequence}}
WHERE mastrNummer IN (SELECT mastrNummer FROM withdrawn_version.units SEMI JOIN differing USING (mastrNummer));

INSERT INTO units_departed BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS abgangSeit, 'zurueckgenommen' AS abgangGrund
FROM withdrawn_version.units SEMI JOIN differing USING (mastrNummer)
ANTI JOIN units USING (mastrNummer)
WHERE mastrNummer NOT IN (SELECT mastrNummer FROM units_departed);

INSERT INTO vorgaenger VALUES ({{version}}, {{versionSequence}}, {{commonHere}});

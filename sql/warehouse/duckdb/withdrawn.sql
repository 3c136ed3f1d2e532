-- A version that was served and withdrawn (rolled back), attached as `zurueck`: what its readers hold otherwise than those
-- of the version `{{common}}`, from which both descend, comes again with this build. After that a delta leads from it here.

CREATE OR REPLACE TEMP TABLE anders AS
SELECT mastrNummer FROM zurueck.units WHERE inhaltSeit > {{commonThere}}
UNION
SELECT mastrNummer FROM zurueck.units_departed WHERE abgangSeit > {{commonThere}};

INSERT INTO units_ersetzt BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS ersetztSeit, DATE '{{exportDay}}' AS ersetztAm
FROM zurueck.units SEMI JOIN anders USING (mastrNummer) SEMI JOIN units USING (mastrNummer);

UPDATE units SET inhaltSeit = {{sequence}} WHERE mastrNummer IN (FROM anders);

UPDATE units_departed SET abgangSeit = {{sequence}}
WHERE mastrNummer IN (SELECT mastrNummer FROM zurueck.units SEMI JOIN anders USING (mastrNummer));

INSERT INTO units_departed BY NAME
SELECT {{sharedColumns}}, {{sequence}} AS abgangSeit, 'zurueckgenommen' AS abgangGrund
FROM zurueck.units SEMI JOIN anders USING (mastrNummer)
ANTI JOIN units USING (mastrNummer)
WHERE mastrNummer NOT IN (SELECT mastrNummer FROM units_departed);

INSERT INTO vorgaenger VALUES ({{version}}, {{versionSequence}}, {{commonHere}});

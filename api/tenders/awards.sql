-- Awards of a round, in the order of their numbers.
SELECT
  CAST(award.id AS DOUBLE) AS id,
  award.zuschlagsnummer AS zuschlagsnummer,
  CAST(award.gebotsmengeKw AS DOUBLE) AS "gebotsmengeKw",
  award.bundesland AS bundesland,
  award.landkreis AS landkreis,
  award.plz AS plz,
  award.gemeinde AS gemeinde,
  award.gemarkung AS gemarkung,
  award.flurstueck AS flurstueck,
  award.flurstueckRoh AS "flurstueckRoh",
  award.mastrNummern AS "mastrNummern",
  award.foerderNummern AS "foerderNummern",
  award.foerderNummernAbgeleitet AS "foerderNummernAbgeleitet",
  CAST(award.latitude AS DOUBLE) AS latitude,
  CAST(award.longitude AS DOUBLE) AS longitude,
  award.geoGenauigkeit AS "geoGenauigkeit",
  award.standortQuelle AS "standortQuelle"
FROM zuschlaege AS award
{{where}}
ORDER BY award.id
LIMIT $limit

-- The links of units and awards, by the rules in their order: the numbers in the register, the numbers of units and
-- plants in the lists, common parcels. A link that several rules find has the first one. Doubtful links are left out.

-- Units and awards of lists that have a parcel in common.
CREATE TABLE scratch.common_parcels AS
SELECT * FROM read_json({{pairs}}, format = 'newline_delimited', columns = {einheit: 'BIGINT', zuschlag: 'BIGINT'});

CREATE TABLE scratch.number_links AS
WITH found AS (
  SELECT einheit, gebotstermin, zuschlag, zuschlagsnummer, technologie, plant_awards.kw AS gebotsmengeKw, 'registernummer' AS regel
  FROM plant_awards JOIN tender_units ON eeg = plant
  UNION ALL
  SELECT einheit, gebotstermin, zuschlag, zuschlagsnummer, technologie, NULL, 'registernummer'
  FROM plant_awards JOIN tender_units ON tender_units.kwk = plant
  UNION ALL
  SELECT einheit, gebotstermin, listed_awards.id, zuschlagsnummer, technologie, NULL, 'see_nummer'
  FROM listed_numbers
  JOIN tender_units ON einheit = number
  JOIN listed_awards ON listed_awards.id = zuschlag
  JOIN gebotstermine ON gebotstermine.id = listed_awards.gebotstermin
  UNION ALL
  SELECT einheit, gebotstermin, listed_awards.id, zuschlagsnummer, technologie, NULL, 'eeg_nummer'
  FROM listed_numbers
  JOIN tender_units ON eeg = number
  JOIN listed_awards ON listed_awards.id = zuschlag
  JOIN gebotstermine ON gebotstermine.id = listed_awards.gebotstermin
)
SELECT * FROM found
QUALIFY row_number() OVER (
  PARTITION BY einheit, coalesce(zuschlag::VARCHAR, zuschlagsnummer)
  ORDER BY list_position(['registernummer', 'see_nummer', 'eeg_nummer'], regel), gebotsmengeKw
) = 1;

-- Awards on the parcels of a unit: of its carrier, in its state, before it went into operation and not long before.
CREATE TABLE scratch.fitting_awards AS
SELECT
  einheit,
  zuschlag,
  gebotstermin,
  zuschlagsnummer,
  technologie,
  tender_units.kw,
  hoechstensKw,
  count(*) OVER (PARTITION BY einheit) AS fits
FROM common_parcels
JOIN tender_units USING (einheit)
JOIN listed_awards ON listed_awards.id = zuschlag
JOIN award_limits USING (zuschlag)
JOIN gebotstermine ON gebotstermine.id = listed_awards.gebotstermin
JOIN technologies USING (technologie)
WHERE list_contains(einheitTypen, einheitTyp)
  AND tender_units.bundesland = listed_awards.bundesland
  AND tag BETWEEN datum AND coalesce(bekanntgabe, datum) + to_months(monate);

-- A unit or an award that a number links needs no parcel, and another unit on the same ground may belong to another award.
CREATE TABLE scratch.parcel_candidates AS
SELECT einheit, gebotstermin, zuschlag, zuschlagsnummer, technologie,
  -- Where nothing says how much an award can be, nothing is linked.
  coalesce(sum(kw) OVER (PARTITION BY zuschlag) <= hoechstensKw, false) AS enough
FROM fitting_awards
WHERE fits = 1
  AND einheit NOT IN (SELECT einheit FROM number_links)
  AND zuschlag NOT IN (SELECT zuschlag FROM number_links WHERE zuschlag IS NOT NULL);

CREATE TABLE scratch.parcel_links AS
SELECT * EXCLUDE (enough), NULL::DECIMAL(18, 3) AS gebotsmengeKw, 'flurstueck' AS regel FROM parcel_candidates WHERE enough;

CREATE TABLE scratch.award_links AS
WITH links AS (
  SELECT * FROM number_links UNION ALL BY NAME SELECT * FROM parcel_links
),
described AS (
  SELECT
    links.*,
    einheitTyp,
    eeg,
    gemarkung IS NOT NULL AND coalesce(regexp_matches(parcels, '[0-9]'), false) AS knowsParcels,
    datum,
    coalesce(list_contains(einheitTypen, einheitTyp), true) AS carrierFits,
    regel = 'registernummer' AS inRegister,
    bool_or(inRegister) OVER (PARTITION BY einheit) AS unitInRegister,
    -- The list of the round is there and does not have the award.
    coalesce(liste, false) AND zuschlag IS NULL AS notListed
  FROM links
  JOIN tender_units USING (einheit)
  LEFT JOIN gebotstermine ON gebotstermine.id = links.gebotstermin
  LEFT JOIN technologies ON technologies.technologie = links.technologie
)
SELECT
  *,
  CASE WHEN inRegister THEN 'register' ELSE 'abgleich' END AS zuordnung,
  CASE
    WHEN regel = 'flurstueck' OR NOT carrierFits OR gebotstermin IS NULL OR notListed OR (unitInRegister AND NOT inRegister)
      THEN 'wahrscheinlich'
    ELSE 'sicher'
  END AS sicherheit
FROM described;

INSERT INTO zuschlag_einheiten BY NAME
SELECT einheit, gebotstermin, zuschlag, zuschlagsnummer, gebotsmengeKw, zuordnung, regel, sicherheit
FROM award_links
ORDER BY einheit, datum DESC NULLS LAST, zuschlagsnummer;

-- The awards of each unit, which units.sql joins. The number in the register leads; an unreadable one stays as it is.
CREATE TABLE scratch.unit_awards AS
WITH
numbers AS (
  SELECT
    einheit,
    first(award_links.zuschlagsnummer ORDER BY datum DESC NULLS LAST, award_links.zuschlagsnummer) FILTER (technologie <> 'KWK' AND inRegister) AS ofRegister,
    first(award_links.zuschlagsnummer ORDER BY datum DESC NULLS LAST, award_links.zuschlagsnummer) FILTER (technologie <> 'KWK' AND NOT inRegister) AS ofList,
    list_reverse_sort(list(DISTINCT award_links.gebotstermin) FILTER (award_links.gebotstermin IS NOT NULL)) AS gebotstermine,
    to_json(list({
      gebotsterminId: award_links.gebotstermin,
      technologie: technologie,
      datum: datum,
      zuschlagsnummer: award_links.zuschlagsnummer,
      gebotsmengeKw: coalesce(award_links.gebotsmengeKw, listed_awards.gebotsmengeKw),
      zuordnung: zuordnung,
      regel: regel,
      sicherheit: sicherheit
    } ORDER BY datum DESC NULLS LAST, award_links.zuschlagsnummer))::VARCHAR AS ausschreibungen
  FROM award_links LEFT JOIN listed_awards ON listed_awards.id = zuschlag
  GROUP BY einheit
),
shown AS (
  SELECT einheit, shown FROM plant_texts JOIN tender_units ON eeg = plant WHERE kind = 'eeg' AND shown IS NOT NULL
)
SELECT
  einheit,
  coalesce(ofRegister, shown, ofList) AS zuschlagsnummer,
  gebotstermine,
  ausschreibungen
FROM numbers FULL JOIN shown USING (einheit);

-- The awards on which the support of a plant depends: those of its units, newest first.
CREATE TABLE scratch.eeg_awards AS
WITH awards AS (
  SELECT
    award_links.eeg,
    gebotstermine.id AS gebotstermin,
    gebotstermine.technologie,
    gebotstermine.datum,
    gebotstermine.bekanntgabe,
    zuschlagswertDurchschnittCtKwh AS mittel,
    gebotHoechstesCtKwh AS hoechstes,
    einheitspreis,
    festePraemie,
    award_links.zuschlagsnummer,
    max(coalesce(award_links.gebotsmengeKw, listed_awards.gebotsmengeKw)) AS mengeKw,
    CASE
      WHEN bool_or(common_parcels.einheit IS NOT NULL) THEN true
      WHEN bool_or(award_links.knowsParcels AND listed_awards.flurstueck IS NOT NULL) THEN false
    END AS flurstueckGleich
  FROM award_links
  JOIN gebotstermine ON gebotstermine.id = award_links.gebotstermin
  LEFT JOIN listed_awards ON listed_awards.id = award_links.zuschlag
  LEFT JOIN common_parcels ON common_parcels.einheit = award_links.einheit AND common_parcels.zuschlag = award_links.zuschlag
  WHERE award_links.eeg IS NOT NULL AND gebotstermine.technologie <> 'KWK' AND carrierFits
  GROUP BY ALL
)
SELECT
  eeg,
  list({
    gebotstermin: gebotstermin, technologie: technologie, datum: datum, bekanntgabe: bekanntgabe, mittel: mittel,
    hoechstes: hoechstes, einheitspreis: einheitspreis, festePraemie: festePraemie, mengeKw: mengeKw,
    flurstueckGleich: flurstueckGleich
  } ORDER BY datum DESC, zuschlagsnummer) AS zuschlaege
FROM awards
GROUP BY eeg;

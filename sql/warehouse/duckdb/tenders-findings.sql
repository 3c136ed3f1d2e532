-- Findings about awards and their links. The texts of a link that contradicts another one are never repeated: the
-- number of the unit or of the award says where to look.

INSERT INTO befunde (art, befund, feld, hinweis, beispiel, anzahl)
SELECT art, befund, feld, hinweis, beispiel, anzahl
FROM read_json({{findings}}, format = 'newline_delimited', columns = {
  art: 'VARCHAR', befund: 'VARCHAR', feld: 'VARCHAR', hinweis: 'VARCHAR', beispiel: 'VARCHAR', anzahl: 'BIGINT'
});

INSERT INTO befunde (art, befund, feld, beispiel, anzahl)
SELECT 'ausschreibungen', befund, feld, min(beispiel), count(*)
FROM (
  SELECT 'zuschlagsnummer_unlesbar' AS befund, CASE kind WHEN 'eeg' THEN 'Zuschlagsnummer' ELSE 'Zuschlagnummer' END AS feld, mastr(plant) AS beispiel
  FROM plant_texts JOIN spellings USING (text) WHERE unlesbar
  UNION ALL
  SELECT 'zuschlagsnummer_berichtigt', CASE kind WHEN 'eeg' THEN 'Zuschlagsnummer' ELSE 'Zuschlagnummer' END, mastr(plant)
  FROM plant_texts JOIN spellings USING (text) WHERE berichtigt
  UNION ALL
  SELECT 'zuschlag_ohne_termin', 'Zuschlagsnummer', mastr(plant) FROM plant_awards WHERE gebotstermin IS NULL
  UNION ALL
  SELECT 'zuschlag_nicht_in_liste', 'Zuschlagsnummer', mastr(plant)
  FROM plant_awards JOIN gebotstermine ON gebotstermine.id = gebotstermin
  WHERE liste AND zuschlag IS NULL
  UNION ALL
  SELECT 'zuschlag_ohne_einheit', 'Zuschlagsnummer', mastr(plant)
  FROM plant_awards
  WHERE plant NOT IN (SELECT eeg FROM tender_units WHERE eeg IS NOT NULL)
    AND plant NOT IN (SELECT kwk FROM tender_units WHERE kwk IS NOT NULL)
  UNION ALL
  SELECT 'nummer_der_liste_unbekannt', 'mastrNummern', mastr(number)
  FROM listed_numbers
  WHERE number NOT IN (SELECT einheit FROM tender_units)
    AND number NOT IN (SELECT eeg FROM tender_units WHERE eeg IS NOT NULL)
  UNION ALL
  SELECT 'zuschlag_widerspruch', NULL, mastr(einheit) FROM award_links
  WHERE unitInRegister AND NOT inRegister
  UNION ALL
  SELECT 'zuschlag_anderer_energietraeger', NULL, mastr(einheit) FROM award_links WHERE NOT carrierFits
  UNION ALL
  SELECT 'zuschlag_nach_inbetriebnahme', NULL, mastr(einheit)
  FROM award_links JOIN tender_units USING (einheit)
  WHERE tender_units.einheitTyp = 'solar' AND inbetriebnahme < datum
  UNION ALL
  SELECT 'zuschlag_ueberschritten', NULL, zuschlagsnummer
  FROM (
    SELECT zuschlag, award_links.zuschlagsnummer
    FROM award_links
    JOIN tender_units USING (einheit)
    JOIN award_limits USING (zuschlag)
    WHERE technologie <> 'BIOMASSE'
    GROUP BY zuschlag, award_links.zuschlagsnummer, hoechstensKw
    HAVING sum(kw) > hoechstensKw
  )
  UNION ALL
  SELECT DISTINCT 'flurstueck_mehrdeutig', NULL, mastr(einheit)
  FROM fitting_awards
  WHERE fits > 1 AND einheit NOT IN (SELECT einheit FROM number_links)
  UNION ALL
  SELECT 'flurstueck_zu_gross', NULL, mastr(einheit) FROM parcel_candidates WHERE NOT enough
)
GROUP BY ALL;

-- The roll-ups of states and country, each from the next larger one.

INSERT INTO bundesland_tage
SELECT serie, bundesland, einheitTyp, statusId, tag, sum(anzahl), sum(kw), sum(kwh)
FROM region_tage JOIN regionen USING (region)
GROUP BY ALL
ORDER BY serie, bundesland, einheitTyp, tag;

INSERT INTO deutschland_tage
SELECT serie, einheitTyp, statusId, tag, sum(anzahl), sum(kw), sum(kwh)
FROM bundesland_tage
GROUP BY ALL
ORDER BY serie, einheitTyp, tag;

INSERT INTO deutschland_monate
SELECT serie, einheitTyp, statusId, date_trunc('month', tag), sum(anzahl), sum(kw), sum(kwh)
FROM deutschland_tage
GROUP BY ALL
ORDER BY ALL;

-- There are no older exports whose history is still to be included.

CREATE VIEW scratch.older_exports AS
SELECT
  NULL::VARCHAR AS mastrNummer, NULL::DATE AS ersteRegistrierung,
  NULL::DATE AS ersterPlantag, NULL::DATE AS ersterPlantagVom,
  NULL::DATE AS letzterPlantag, NULL::DATE AS letzterPlantagVom
WHERE false;

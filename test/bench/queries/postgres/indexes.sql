-- These indexes make PostgreSQL fast at the measured queries. They are made after its rows are loaded.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS pg_prewarm;

ALTER TABLE units ADD PRIMARY KEY (mastrnummer);
ALTER TABLE unit_details ADD PRIMARY KEY (mastrnummer);
ALTER TABLE marktakteure ADD PRIMARY KEY (mastrnummer);

-- Pages in any order, and next to the order what the time series sum up: they need not look at the rows.
CREATE INDEX units_leistung ON units (bruttoleistungkw, mastrnummer);
CREATE INDEX units_leistung_ab ON units (bruttoleistungkw DESC NULLS LAST, mastrnummer);
CREATE INDEX units_inbetriebnahme ON units (inbetriebnahmedatum, mastrnummer) INCLUDE (einheittyp, bruttoleistungkw);
CREATE INDEX units_inbetriebnahme_ab ON units (inbetriebnahmedatum DESC NULLS LAST, mastrnummer);
CREATE INDEX units_planung ON units (geplantesinbetriebnahmedatum, mastrnummer)
  INCLUDE (einheittyp, bruttoleistungkw, inbetriebnahmedatum);
CREATE INDEX units_planung_ab ON units (geplantesinbetriebnahmedatum DESC NULLS LAST, mastrnummer);
CREATE INDEX units_registrierung ON units (registrierungsdatum, mastrnummer);
CREATE INDEX units_registrierung_ab ON units (registrierungsdatum DESC NULLS LAST, mastrnummer);
CREATE INDEX units_stilllegung ON units (stilllegungsdatum) INCLUDE (einheittyp, bruttoleistungkw)
  WHERE stilllegungsdatum IS NOT NULL;

-- Filters, and the capacity beside those that are also grouped by.
CREATE INDEX units_bundesland ON units (bundesland, einheittyp, betriebsstatus) INCLUDE (bruttoleistungkw);
CREATE INDEX units_typ ON units (einheittyp, betriebsstatus, bundesland) INCLUDE (bruttoleistungkw);
CREATE INDEX units_landkreis ON units (landkreis, einheittyp) INCLUDE (bruttoleistungkw);
CREATE INDEX units_gemeinde ON units (gemeinde) INCLUDE (bruttoleistungkw);
CREATE INDEX units_plz ON units (plz text_pattern_ops) INCLUDE (bruttoleistungkw);
CREATE INDEX units_betreiber ON units (betreibermastrnummer);
CREATE INDEX units_netzbetreiber ON units (netzbetreiber, einheittyp) INCLUDE (bruttoleistungkw);

CREATE INDEX units_suchtext ON units USING gin (suchtext gin_trgm_ops);
CREATE INDEX units_suchname ON units USING gin (suchname gin_trgm_ops);
CREATE INDEX marktakteure_gefaltet ON marktakteure USING gin (gefaltet gin_trgm_ops);

VACUUM (ANALYZE) units;
VACUUM (ANALYZE) unit_details;
VACUUM (ANALYZE) marktakteure;

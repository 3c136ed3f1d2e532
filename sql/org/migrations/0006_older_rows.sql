-- Units that an organisation has read by the older variant of the interface, by calendar month (Europe/Berlin).
CREATE TABLE older_rows (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  month date NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (organisation_id, month)
);

ALTER TABLE older_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE older_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON older_rows USING (visible(organisation_id));

-- Questions about units that an organisation has saved under a name.
CREATE TABLE saved_filters (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  name text NOT NULL,
  -- A filter of the table of units, or of the map. Only filters of the table can be listed and executed by the API.
  kind text NOT NULL CHECK (kind IN ('table', 'map')),
  -- Unit filters as the body of POST /v1/units/search has them.
  criteria jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, name)
);

ALTER TABLE saved_filters ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_filters FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON saved_filters USING (visible(organisation_id));

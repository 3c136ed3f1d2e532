-- Units of the register that an organisation has to do with.
CREATE TABLE portfolio_entries (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  mastr_number text NOT NULL,
  -- Role of the organisation to the unit.
  relation_type text NOT NULL,
  -- Identifiers in other systems: {system: id}.
  external_refs jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Last change of any kind, removal included.
  updated_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  UNIQUE (organisation_id, mastr_number)
);
CREATE INDEX portfolio_entries_newest ON portfolio_entries (organisation_id, created_at DESC, id DESC);
CREATE INDEX portfolio_entries_by_change ON portfolio_entries (organisation_id, updated_at);

ALTER TABLE portfolio_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE portfolio_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON portfolio_entries USING (visible(organisation_id));

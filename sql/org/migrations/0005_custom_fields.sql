-- Fields that an organisation adds to the units of the register, and what it wrote into them.
CREATE TABLE custom_fields (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('TEXT', 'LONG_TEXT', 'DROPDOWN', 'URL', 'NUMBER', 'DATE')),
  multiple boolean NOT NULL,
  -- Allowed values of a DROPDOWN, in their order; empty for every other type.
  choices text[] NOT NULL CHECK (type = 'DROPDOWN' OR choices = '{}'),
  -- The counterpart of a connection fills it; the organisation itself cannot.
  filled_by_partner boolean NOT NULL,
  -- Connected organisations see its values.
  shared boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, name),
  -- So that a value can only belong to a field of its own organisation.
  UNIQUE (organisation_id, id)
);

CREATE TABLE custom_field_values (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  field_id uuid NOT NULL,
  mastr_number text NOT NULL,
  -- Place among several values of one field, from 0.
  position integer NOT NULL CHECK (position >= 0),
  -- TEXT, LONG_TEXT, DROPDOWN, URL.
  text text,
  -- The same as it is searched (sql/query/fold.ts).
  folded_text text,
  -- NUMBER.
  number numeric,
  -- DATE; with month precision the first of the month.
  day date,
  day_precision text CHECK (day_precision IN ('DAY', 'MONTH')),
  written_by text NOT NULL CHECK (written_by IN ('own', 'partner')),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organisation_id, mastr_number, field_id, position),
  FOREIGN KEY (organisation_id, field_id) REFERENCES custom_fields (organisation_id, id) ON DELETE CASCADE,
  -- Exactly one slot is filled; a field without a value has no row.
  CHECK (num_nonnulls(text, number, day) = 1),
  CHECK ((text IS NULL) = (folded_text IS NULL)),
  CHECK ((day IS NULL) = (day_precision IS NULL))
);
CREATE INDEX custom_field_values_of_field ON custom_field_values (organisation_id, field_id);

ALTER TABLE custom_fields ENABLE ROW LEVEL SECURITY;
ALTER TABLE custom_fields FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON custom_fields USING (visible(organisation_id));

ALTER TABLE custom_field_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE custom_field_values FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON custom_field_values USING (visible(organisation_id));

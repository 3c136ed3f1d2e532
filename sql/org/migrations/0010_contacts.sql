-- The contact directory of an organisation.

-- The order of names in German. Equal names are told apart by their bytes.
CREATE COLLATION german (provider = icu, locale = 'de');

CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  -- An individual, or a role or department.
  kind text NOT NULL CHECK (kind IN ('PERSON', 'FUNCTION')),
  name text NOT NULL,
  first_name text,
  last_name text,
  salutation text CHECK (salutation IN ('HERR', 'FRAU', 'DIVERS')),
  title text,
  -- Encrypted (sql/org/encryption.ts), with the key that key_id names.
  email text,
  telephone text,
  key_id text,
  -- Employer of the person, and the function there.
  company text,
  position text,
  origin text NOT NULL CHECK (origin IN ('MANUELL', 'IMPORT', 'REGISTER', 'VERBINDUNG')),
  status text NOT NULL CHECK (status IN ('CONFIRMED', 'SUGGESTED')),
  -- Name and company as they are searched (sql/query/fold.ts).
  folded_text text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK (kind = 'PERSON' OR salutation IS NULL),
  CHECK ((key_id IS NULL) = (email IS NULL AND telephone IS NULL))
);
CREATE INDEX contacts_by_name ON contacts (organisation_id, name COLLATE german, id);
CREATE INDEX contacts_by_kind ON contacts (organisation_id, kind, name COLLATE german, id);
CREATE INDEX contacts_by_key ON contacts (key_id) WHERE key_id IS NOT NULL;

ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE contacts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON contacts USING (visible(organisation_id));

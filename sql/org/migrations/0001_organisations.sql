-- Organisations, their users and their keys.

-- Row-level security asks this for every row: the session works for the row's organisation, or across all ('*').
CREATE FUNCTION visible(organisation uuid) RETURNS boolean LANGUAGE sql STABLE
  RETURN current_setting('app.organisation', true) IN ('*', organisation::text);

CREATE TABLE organisations (
  id uuid PRIMARY KEY,
  -- The name under which the operator of the service knows it; given by hand, used by the command line and by imports.
  external_id text NOT NULL UNIQUE,
  name text NOT NULL,
  -- Booked modules (rights.ts).
  modules text[] NOT NULL,
  -- Signals it may see and filter by.
  signals text[] NOT NULL,
  alert_templates text[] NOT NULL,
  -- Where it differs from the defaults (limits.ts).
  limits jsonb NOT NULL,
  -- Calls per calendar month.
  quota bigint NOT NULL CHECK (quota >= 0),
  -- From then on no module counts as booked; null = no trial.
  trial_ends_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  external_id text NOT NULL,
  name text NOT NULL,
  email text,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, external_id)
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  -- Shown wherever the key is spoken of; with it the key is found.
  prefix text NOT NULL UNIQUE,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  -- SHA-256 of the secret part, hexadecimal. The secret itself is shown once and stored nowhere.
  secret_hash text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  -- Owner or admin who had it made; null = the operator.
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX api_keys_of_organisation ON api_keys (organisation_id);

ALTER TABLE organisations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organisations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON organisations USING (visible(id));

ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON users USING (visible(organisation_id));

ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON api_keys USING (visible(organisation_id));

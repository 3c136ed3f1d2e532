-- Connections between two organisations, and the fields that they share over them.
--
-- Tables of this migration belong to both sides: their policies name the two. One side may be missing from this store,
-- since an organisation can move to another one alone; so the sides are no foreign keys, and their names are kept here.
--
-- Both sides read them. They are arranged with the command line, so the operator alone writes them: no statement in the name
-- of one side can bind the other.

-- True for a session that works across all organisations.
CREATE FUNCTION operates() RETURNS boolean LANGUAGE sql STABLE
  RETURN current_setting('app.organisation', true) = '*';

CREATE TABLE connections (
  id uuid PRIMARY KEY,
  initiator_id uuid NOT NULL,
  initiator_name text NOT NULL,
  -- Null while the invitation is addressed to an e-mail address.
  invited_id uuid,
  invited_name text,
  invited_email text,
  status text NOT NULL CHECK (status IN ('PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED')),
  created_at timestamptz(3) NOT NULL,
  -- When the invitation was accepted or declined.
  answered_at timestamptz(3),
  -- Last change of status, assets or active fields.
  updated_at timestamptz(3) NOT NULL,
  -- Rows of connection_assets; a list of connections cannot count thousands for each of its rows. Whoever adds or removes
  -- assets changes it in the same statement.
  asset_count integer NOT NULL DEFAULT 0,
  CHECK (initiator_id <> invited_id),
  CHECK ((invited_id IS NULL) = (invited_name IS NULL)),
  CHECK ((invited_id IS NULL) = (invited_email IS NOT NULL)),
  CHECK (invited_id IS NOT NULL OR status <> 'ACCEPTED')
);
CREATE INDEX connections_by_email ON connections (lower(invited_email)) WHERE invited_email IS NOT NULL;
-- Finds the invitations to an address, for an organisation that has a user with it.
CREATE INDEX users_by_email ON users (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX connections_of_initiator ON connections (initiator_id, created_at DESC, id DESC);
CREATE INDEX connections_of_invited ON connections (invited_id, created_at DESC, id DESC);
-- Two organisations have at most one connection that has not ended.
CREATE UNIQUE INDEX connections_alive ON connections (least(initiator_id, invited_id), greatest(initiator_id, invited_id))
  WHERE invited_id IS NOT NULL AND status IN ('PENDING', 'ACCEPTED');

ALTER TABLE connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE connections FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON connections FOR SELECT USING (visible(initiator_id) OR visible(invited_id));
CREATE POLICY operator ON connections USING (operates());

-- Units in the scope of a connection.
CREATE TABLE connection_assets (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  mastr_number text NOT NULL,
  -- The initiator's role to the unit when it was added (portfolio_entries.relation_type); it is not followed later.
  relation_type text NOT NULL,
  added_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, mastr_number)
);
-- Lists are sorted by number bytewise, whatever the collation of the database is.
CREATE INDEX connection_assets_in_order ON connection_assets (connection_id, mastr_number COLLATE "C");

ALTER TABLE connection_assets ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_assets FORCE ROW LEVEL SECURITY;
-- A subquery for one value, here and below: of EXISTS the planner may make a table of every connection in the store.
CREATE POLICY sides ON connection_assets FOR SELECT USING ((SELECT true FROM connections c WHERE c.id = connection_id));
CREATE POLICY operator ON connection_assets USING (operates());

-- Fields that are active on a connection.
CREATE TABLE connection_fields (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  field_id uuid NOT NULL,
  -- The organisation whose field it is: one of the two sides.
  owner_id uuid NOT NULL,
  -- SHARE: the owner's values are shown. REQUEST: the other side is asked for them (custom_fields.filled_by_partner).
  direction text NOT NULL CHECK (direction IN ('SHARE', 'REQUEST')),
  activated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, field_id),
  FOREIGN KEY (owner_id, field_id) REFERENCES custom_fields (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_fields_of_field ON connection_fields (field_id);

ALTER TABLE connection_fields ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_fields FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON connection_fields FOR SELECT USING ((SELECT true FROM connections c WHERE c.id = connection_id));
CREATE POLICY operator ON connection_fields USING (operates());

-- Fields released for one connection, on every unit in its scope.
CREATE TABLE connection_releases (
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  field_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  released_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, field_id),
  FOREIGN KEY (owner_id, field_id) REFERENCES custom_fields (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_releases_of_field ON connection_releases (field_id);
CREATE INDEX connection_releases_of_owner ON connection_releases (owner_id);

ALTER TABLE connection_releases ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_releases FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON connection_releases FOR SELECT USING ((SELECT true FROM connections c WHERE c.id = connection_id));
CREATE POLICY operator ON connection_releases USING (operates());

-- Fields released on one unit, for whichever connection has it in its scope.
CREATE TABLE standing_releases (
  owner_id uuid NOT NULL,
  field_id uuid NOT NULL,
  mastr_number text NOT NULL,
  released_at timestamptz(3) NOT NULL,
  PRIMARY KEY (field_id, mastr_number),
  FOREIGN KEY (owner_id, field_id) REFERENCES custom_fields (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX standing_releases_of_owner ON standing_releases (owner_id);

ALTER TABLE standing_releases ENABLE ROW LEVEL SECURITY;
ALTER TABLE standing_releases FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON standing_releases FOR SELECT USING (visible(owner_id));
CREATE POLICY operator ON standing_releases USING (operates());

-- Policies ask row after row whether it crosses to the organisation that the session works for. So they begin with the only
-- connection over which it can: that of the two that has not ended. These functions are plpgsql so that their statements are
-- planned once in a session, not with every statement on these tables, nor for each row.
CREATE FUNCTION connection_with(other uuid) RETURNS uuid LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Empty for a session that works for nobody.
  me uuid := nullif(current_setting('app.organisation', true), '');
BEGIN
  RETURN (SELECT c.id FROM connections c
    WHERE least(c.initiator_id, c.invited_id) = least(me, other)
      AND greatest(c.initiator_id, c.invited_id) = greatest(me, other)
      AND c.invited_id IS NOT NULL AND c.status IN ('PENDING', 'ACCEPTED'));
END $$;

-- A partner sees a release only where it takes effect.
CREATE FUNCTION release_crosses(owner uuid, field uuid, unit text) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  over uuid := connection_with(owner);
BEGIN
  RETURN EXISTS (SELECT FROM connections c WHERE c.id = over AND c.status = 'ACCEPTED')
    AND EXISTS (SELECT FROM connection_assets a WHERE a.connection_id = over AND a.mastr_number = unit)
    AND EXISTS (SELECT FROM connection_fields f WHERE f.connection_id = over AND f.field_id = field);
END $$;
CREATE POLICY partner ON standing_releases FOR SELECT
  USING (NOT visible(owner_id) AND release_crosses(owner_id, field_id, mastr_number));

-- The fields that cross a connection, by unit: the connection is accepted, the unit is in its scope, the field is active on
-- it, and it is released. This is the only place where these four conditions stand; every path reads it.
CREATE VIEW shared_fields AS
SELECT c.id AS connection_id, a.mastr_number, f.field_id, f.owner_id,
  CASE f.owner_id WHEN c.initiator_id THEN c.invited_id ELSE c.initiator_id END AS partner_id,
  f.direction,
  -- The values of the owner cross, or the answers of the partner.
  CASE WHEN f.direction = 'SHARE' THEN f.owner_id
    WHEN f.owner_id = c.initiator_id THEN c.invited_id ELSE c.initiator_id END AS writer_id,
  -- A release for the connection hides a standing one.
  CASE WHEN r.connection_id IS NOT NULL THEN 'explizit' ELSE 'broadcast' END AS origin
FROM connections c
JOIN connection_assets a ON a.connection_id = c.id
JOIN connection_fields f ON f.connection_id = c.id AND f.owner_id IN (c.initiator_id, c.invited_id)
LEFT JOIN connection_releases r ON r.connection_id = c.id AND r.field_id = f.field_id
LEFT JOIN standing_releases s ON s.field_id = f.field_id AND s.mastr_number = a.mastr_number
WHERE c.status = 'ACCEPTED' AND (r.connection_id IS NOT NULL OR s.field_id IS NOT NULL);

CREATE FUNCTION field_crosses(owner uuid, field uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  over uuid := connection_with(owner);
BEGIN
  RETURN EXISTS (SELECT FROM shared_fields s WHERE s.connection_id = over AND s.field_id = field AND s.owner_id = owner);
END $$;

-- An answer crosses to nobody but its writer.
CREATE FUNCTION value_crosses(owner uuid, field uuid, unit text, writer uuid, directions text[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  over uuid := connection_with(owner);
BEGIN
  RETURN EXISTS (SELECT FROM shared_fields s
    WHERE s.connection_id = over AND s.field_id = field AND s.owner_id = owner AND s.mastr_number = unit
      AND s.direction = ANY (directions) AND s.writer_id = writer);
END $$;

-- Keeps a connection of the session's organisation, its scope and its fields as they are until the transaction ends. A side
-- changes no connection and so cannot lock it either, which is why this looks across all.
CREATE FUNCTION keep_connection(kept uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
BEGIN
  PERFORM set_config('app.organisation', '*', true);
  PERFORM FROM connections c WHERE c.id = kept AND session IN ('*', c.initiator_id::text, c.invited_id::text) FOR SHARE;
  PERFORM set_config('app.organisation', session, true);
END $$;

-- A partner reads the definition of a field that crosses, but never changes it.
CREATE POLICY partner ON custom_fields FOR SELECT USING (NOT visible(organisation_id) AND field_crosses(organisation_id, id));

-- Values are looked up by field and unit together, whatever the planner knows of their numbers.
DROP INDEX custom_field_values_of_field;
CREATE INDEX custom_field_values_of_field ON custom_field_values (organisation_id, field_id, mastr_number);

-- An organisation reads what belongs to its fields, whoever wrote it, and what crosses to it.
DROP POLICY own ON custom_field_values;
CREATE POLICY reader ON custom_field_values FOR SELECT USING (visible(organisation_id)
  OR value_crosses(organisation_id, field_id, mastr_number, writer_id, '{SHARE,REQUEST}'));
-- It writes values in its own name only: into its own fields, and answers where it is asked for them.
CREATE POLICY writer ON custom_field_values USING (operates() OR visible(writer_id) AND (
  writer_id = organisation_id OR value_crosses(organisation_id, field_id, mastr_number, writer_id, '{REQUEST}')));

-- The names of the sides follow their organisations.
CREATE FUNCTION rename_sides() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE connections SET initiator_name = NEW.name WHERE initiator_id = NEW.id;
  UPDATE connections SET invited_name = NEW.name WHERE invited_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER rename_sides AFTER UPDATE OF name ON organisations
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION rename_sides();
-- A side that was missing in this store may come under another name than its partner's document has.
CREATE TRIGGER name_sides AFTER INSERT ON organisations FOR EACH ROW EXECUTE FUNCTION rename_sides();

-- A connection ends with an organisation that is deleted, and disappears with the second.
CREATE FUNCTION end_connections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM connections WHERE OLD.id IN (initiator_id, invited_id)
    AND NOT EXISTS (SELECT FROM organisations o WHERE o.id IN (initiator_id, invited_id));
  UPDATE connections SET status = 'REVOKED', updated_at = greatest(now(), updated_at + interval '1 millisecond')
  WHERE OLD.id IN (initiator_id, invited_id) AND status IN ('PENDING', 'ACCEPTED');
  RETURN NULL;
END $$;
CREATE TRIGGER end_connections AFTER DELETE ON organisations FOR EACH ROW EXECUTE FUNCTION end_connections();

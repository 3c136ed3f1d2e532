-- Each side arranges what it shares itself: it invites, answers, ends, and decides about its own fields.
--
-- A connection is of both, so no statement of one side changes its row. The functions below do, each for one step that the
-- organisation `me` may take, which has to be that of the session, or any for the operator. They look across all organisations
-- for that step only, and tell nothing that the connection does not show.

-- Locks the organisation and another one against being renamed, deleted and connected until the transaction ends, always in
-- the same order. Returns the name of the other one; null when there is none with this id, which nobody guesses.
CREATE FUNCTION lock_sides(me uuid, other uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  found_name text;
BEGIN
  IF NOT visible(me) THEN RETURN NULL; END IF;
  PERFORM set_config('app.organisation', '*', true);
  PERFORM FROM organisations WHERE id IN (me, other) ORDER BY id FOR NO KEY UPDATE;
  SELECT name INTO found_name FROM organisations WHERE id = other;
  PERFORM set_config('app.organisation', session, true);
  RETURN found_name;
END $$;

-- Invitations that nobody has answered to an address that a user of the organisation has. Users are made by the operator alone,
-- so nobody takes an address to read the invitations of others.
CREATE FUNCTION invitations_by_address(me uuid) RETURNS SETOF connections LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
BEGIN
  IF NOT visible(me) THEN RETURN; END IF;
  PERFORM set_config('app.organisation', '*', true);
  RETURN QUERY SELECT c.* FROM connections c
    WHERE c.status = 'PENDING' AND c.invited_id IS NULL AND c.initiator_id <> me
      AND lower(c.invited_email) IN (SELECT lower(u.email) FROM users u WHERE u.organisation_id = me);
  PERFORM set_config('app.organisation', session, true);
END $$;

-- Locks a connection and its sides until the transaction ends, and returns it, for one of its sides or an organisation that it
-- invites by an address. No row for a connection of others.
CREATE FUNCTION lock_connection(me uuid, wanted uuid) RETURNS SETOF connections LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  sides uuid[];
BEGIN
  IF NOT visible(me) THEN RETURN; END IF;
  PERFORM set_config('app.organisation', '*', true);
  SELECT ARRAY[c.initiator_id, c.invited_id] INTO sides FROM connections c
  WHERE c.id = wanted AND (me IN (c.initiator_id, c.invited_id)
    OR c.id IN (SELECT i.id FROM invitations_by_address(me) i));
  IF FOUND THEN
    PERFORM FROM organisations o WHERE o.id = ANY (sides || me) ORDER BY o.id FOR NO KEY UPDATE;
    -- It may have changed until now.
    RETURN QUERY SELECT c.* FROM connections c
      WHERE c.id = wanted AND (me IN (c.initiator_id, c.invited_id)
        OR c.id IN (SELECT i.id FROM invitations_by_address(me) i)) FOR UPDATE OF c;
  END IF;
  PERFORM set_config('app.organisation', session, true);
END $$;

-- Invites an organisation, or whoever has an address. Returns false where the organisation that is named does not exist.
CREATE FUNCTION send_invitation(made uuid, me uuid, other uuid, address text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  sent boolean;
BEGIN
  IF NOT visible(me) THEN RETURN false; END IF;
  PERFORM set_config('app.organisation', '*', true);
  INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, invited_email, status, created_at, updated_at)
  SELECT made, me, i.name, o.id, o.name, address, 'PENDING', clock_timestamp(), clock_timestamp()
  FROM organisations i LEFT JOIN organisations o ON o.id = other
  WHERE i.id = me AND (o.id IS NOT NULL) = (address IS NULL);
  sent := FOUND;
  PERFORM set_config('app.organisation', session, true);
  RETURN sent;
END $$;

-- Answers an invitation to the organisation; one to an address has its other side once it is accepted, while a refusal does not
-- tell who declined: whoever did sees it here for the last time. No row where there is no invitation to it, or it is answered.
CREATE FUNCTION answer_invitation(me uuid, wanted uuid, answer text) RETURNS SETOF connections LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
BEGIN
  IF NOT visible(me) OR answer NOT IN ('ACCEPTED', 'DECLINED') THEN RETURN; END IF;
  PERFORM set_config('app.organisation', '*', true);
  RETURN QUERY UPDATE connections c SET status = answer,
    invited_id = CASE answer WHEN 'ACCEPTED' THEN o.id ELSE c.invited_id END,
    invited_name = CASE answer WHEN 'ACCEPTED' THEN o.name ELSE c.invited_name END,
    invited_email = CASE answer WHEN 'ACCEPTED' THEN NULL ELSE c.invited_email END,
    answered_at = later.at, updated_at = later.at
  FROM organisations o, connections k
    CROSS JOIN LATERAL (SELECT greatest(clock_timestamp(), k.updated_at + interval '1 millisecond') AS at) AS later
  WHERE o.id = me AND k.id = wanted AND c.id = k.id AND c.status = 'PENDING' AND c.initiator_id <> me
    AND (c.invited_id = me OR c.id IN (SELECT i.id FROM invitations_by_address(me) i))
  RETURNING c.*;
  PERFORM set_config('app.organisation', session, true);
END $$;

-- Ends an accepted connection of the organisation, or takes back an invitation that it has sent. Returns false for any other.
CREATE FUNCTION end_connection(me uuid, wanted uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  ended boolean;
BEGIN
  IF NOT visible(me) THEN RETURN false; END IF;
  PERFORM set_config('app.organisation', '*', true);
  UPDATE connections SET status = 'REVOKED', updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
  WHERE id = wanted AND (status = 'ACCEPTED' AND me IN (initiator_id, invited_id) OR status = 'PENDING' AND me = initiator_id);
  ended := FOUND;
  PERFORM set_config('app.organisation', session, true);
  RETURN ended;
END $$;

-- Notes that units or active fields of a connection have changed; for one of its sides.
CREATE FUNCTION touch_connection(touched uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
BEGIN
  PERFORM set_config('app.organisation', '*', true);
  UPDATE connections SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
    asset_count = (SELECT count(*) FROM connection_assets a WHERE a.connection_id = touched)
  WHERE id = touched AND session IN ('*', initiator_id::text, invited_id::text);
  PERFORM set_config('app.organisation', session, true);
END $$;

-- Whether the session may put units into the scope of a connection: the side that invited, whose roles to them are kept. Not
-- once an active field of the other side is released anywhere: it could cross for units that the other side has not seen.
-- Which units are named does not matter, since a refusal for some would tell where it is released.
CREATE FUNCTION may_extend(wanted uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  may boolean;
BEGIN
  IF operates() THEN RETURN true; END IF;
  PERFORM set_config('app.organisation', '*', true);
  SELECT EXISTS (SELECT FROM connections c
    WHERE c.id = wanted AND c.status IN ('PENDING', 'ACCEPTED') AND c.initiator_id::text = session
      AND NOT EXISTS (SELECT FROM connection_fields f
        WHERE f.connection_id = wanted AND f.owner_id <> c.initiator_id
          AND (EXISTS (SELECT FROM connection_releases r WHERE r.connection_id = wanted AND r.field_id = f.field_id)
            OR EXISTS (SELECT FROM standing_releases s WHERE s.field_id = f.field_id)))) INTO may;
  PERFORM set_config('app.organisation', session, true);
  RETURN may;
END $$;

-- Puts those of the units that are in the portfolio of the side that invited into the scope of a connection, with its roles to
-- them, and returns how many are new. A policy would ask all this for each of thousands of rows.
CREATE FUNCTION extend_connection(wanted uuid, units text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  at timestamptz(3) := clock_timestamp();
  added integer;
BEGIN
  IF NOT may_extend(wanted) THEN RETURN 0; END IF;
  PERFORM set_config('app.organisation', '*', true);
  INSERT INTO connection_assets (connection_id, mastr_number, relation_type, added_at, updated_at)
  SELECT c.id, p.mastr_number, p.relation_type, at, at
  FROM connections c JOIN portfolio_entries p ON p.organisation_id = c.initiator_id
  WHERE c.id = wanted AND c.status IN ('PENDING', 'ACCEPTED') AND p.mastr_number = ANY (units) AND p.removed_at IS NULL
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  PERFORM set_config('app.organisation', session, true);
  RETURN added;
END $$;

-- Either side takes units out, which ends what crosses for them.
CREATE POLICY reduced ON connection_assets FOR DELETE
  USING ((SELECT c.status IN ('PENDING', 'ACCEPTED') FROM connections c WHERE c.id = connection_id));

-- Fields are arranged by their owner alone, as far as they can cross at all, on connections of its own that have not ended.
CREATE FUNCTION arranges(owner uuid, field uuid, wanted uuid, way text) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN visible(owner)
    AND EXISTS (SELECT FROM custom_fields d WHERE d.organisation_id = owner AND d.id = field AND d.retired_at IS NULL
      AND (d.shared OR d.filled_by_partner)
      AND coalesce(way, '') IN ('', CASE WHEN d.filled_by_partner THEN 'REQUEST' ELSE 'SHARE' END))
    AND (wanted IS NULL OR EXISTS (SELECT FROM connections c
      WHERE c.id = wanted AND c.status IN ('PENDING', 'ACCEPTED') AND owner IN (c.initiator_id, c.invited_id)));
END $$;
CREATE POLICY activated ON connection_fields FOR INSERT WITH CHECK (arranges(owner_id, field_id, connection_id, direction));
CREATE POLICY deactivated ON connection_fields FOR DELETE USING (visible(owner_id));
CREATE POLICY released ON connection_releases FOR INSERT WITH CHECK (arranges(owner_id, field_id, connection_id, NULL));
CREATE POLICY withdrawn ON connection_releases FOR DELETE USING (visible(owner_id));
CREATE POLICY released ON standing_releases FOR INSERT WITH CHECK (arranges(owner_id, field_id, NULL, NULL));
CREATE POLICY withdrawn ON standing_releases FOR DELETE USING (visible(owner_id));

-- The channel: what two connected organisations write to each other, and the mailboxes that it is routed to.

-- A mailbox of one organisation. Threads lie in the one that takes their category, else in the general one.
CREATE TABLE mailboxes (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  name text NOT NULL,
  general boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, name),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX mailboxes_general ON mailboxes (organisation_id) WHERE general;

-- A category goes to at most one mailbox of an organisation.
CREATE TABLE mailbox_categories (
  organisation_id uuid NOT NULL,
  category text NOT NULL
    CHECK (category IN ('ALLGEMEIN', 'TECHNIK', 'ABRECHNUNG', 'VERTRAG', 'STOERUNG', 'DATENABFRAGE')),
  mailbox_id uuid NOT NULL,
  PRIMARY KEY (organisation_id, category),
  FOREIGN KEY (organisation_id, mailbox_id) REFERENCES mailboxes (organisation_id, id) ON DELETE CASCADE
);

-- So that a mailbox can only have users of its own organisation.
ALTER TABLE users ADD UNIQUE (organisation_id, id);
CREATE INDEX mailbox_categories_of_mailbox ON mailbox_categories (mailbox_id);

CREATE TABLE mailbox_users (
  organisation_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (mailbox_id, user_id),
  FOREIGN KEY (organisation_id, mailbox_id) REFERENCES mailboxes (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, user_id) REFERENCES users (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX mailbox_users_of_user ON mailbox_users (user_id);

-- Threads belong to both sides of their connection, whose ids they repeat: each side lists its own by last activity.
CREATE TABLE threads (
  id uuid PRIMARY KEY,
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  initiator_id uuid NOT NULL,
  invited_id uuid NOT NULL,
  subject text,
  category text CHECK (category IN ('ALLGEMEIN', 'TECHNIK', 'ABRECHNUNG', 'VERTRAG', 'STOERUNG', 'DATENABFRAGE')),
  assets text[] NOT NULL,
  -- Number and time of the last message; both increase with every commit (begin_message).
  message_count integer NOT NULL,
  last_activity_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX threads_of_initiator ON threads (initiator_id, last_activity_at DESC, id DESC);
CREATE INDEX threads_of_invited ON threads (invited_id, last_activity_at DESC, id DESC);
CREATE INDEX threads_of_connection ON threads (connection_id, last_activity_at DESC, id DESC);

-- Persons who wrote in a thread or were addressed in it; a user may be gone, or live in another store.
CREATE TABLE thread_participants (
  thread_id uuid NOT NULL REFERENCES threads ON DELETE CASCADE,
  user_id uuid NOT NULL,
  -- The organisation of the user.
  side_id uuid NOT NULL,
  PRIMARY KEY (thread_id, user_id)
);
CREATE INDEX thread_participants_of_user ON thread_participants (user_id);

CREATE TABLE messages (
  id uuid PRIMARY KEY,
  thread_id uuid NOT NULL REFERENCES threads ON DELETE CASCADE,
  -- Counts the messages of the thread from 1, without a gap, in the order of their commits: a reader that goes on after the
  -- last number it has seen misses none.
  number integer NOT NULL,
  -- The organisation that wrote it.
  sender_id uuid NOT NULL,
  -- The person who wrote it, by id and by name at that time; null = the integration.
  user_id uuid,
  person text,
  via_api boolean NOT NULL,
  -- Null once it was deleted.
  text text,
  -- Metadata of what is attached: [{id, name, mediaType, bytes}].
  attachments jsonb NOT NULL,
  written_at timestamptz(3) NOT NULL,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  UNIQUE (thread_id, number),
  UNIQUE (thread_id, written_at),
  CHECK ((text IS NULL) = (deleted_at IS NOT NULL))
);

ALTER TABLE mailboxes ENABLE ROW LEVEL SECURITY;
ALTER TABLE mailboxes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON mailboxes USING (visible(organisation_id));

ALTER TABLE mailbox_categories ENABLE ROW LEVEL SECURITY;
ALTER TABLE mailbox_categories FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON mailbox_categories USING (visible(organisation_id));

ALTER TABLE mailbox_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE mailbox_users FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON mailbox_users USING (visible(organisation_id));

-- The organisation of a user of any organisation, or null: an id says no more than that. Users themselves are visible to
-- their own organisation only, so this looks across all and returns to the session's own.
CREATE FUNCTION organisation_of_user(wanted uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  found uuid;
BEGIN
  PERFORM set_config('app.organisation', '*', true);
  SELECT organisation_id INTO found FROM users WHERE id = wanted;
  PERFORM set_config('app.organisation', session, true);
  RETURN found;
END $$;

-- Both sides read a thread and each of its messages. While they are connected, each adds threads, messages in its own name,
-- and persons of either side. Nothing else changes but the count and the times of a thread: editing and deleting is done with
-- the command line, by the operator.
ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE threads FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON threads USING (operates());
-- Postgres takes `coalesce` to be true of half of the rows. Of the bare condition it expects hardly any, and would read all
-- threads of an organisation to sort them, for each page.
CREATE POLICY sides ON threads FOR SELECT USING (coalesce(visible(initiator_id) OR visible(invited_id), false));
CREATE POLICY opened ON threads FOR INSERT WITH CHECK (EXISTS (
  SELECT FROM connections c WHERE c.id = connection_id AND c.status = 'ACCEPTED'
    AND c.initiator_id = threads.initiator_id AND c.invited_id = threads.invited_id));
CREATE POLICY moved ON threads FOR UPDATE USING (visible(initiator_id) OR visible(invited_id));
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only the operator changes this of a row in %', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER keep_subject BEFORE UPDATE ON threads FOR EACH ROW WHEN (NOT operates() AND
  (OLD.id, OLD.connection_id, OLD.initiator_id, OLD.invited_id, OLD.subject, OLD.category, OLD.assets, OLD.created_at)
  IS DISTINCT FROM
  (NEW.id, NEW.connection_id, NEW.initiator_id, NEW.invited_id, NEW.subject, NEW.category, NEW.assets, NEW.created_at))
  EXECUTE FUNCTION refuse_change();

ALTER TABLE thread_participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE thread_participants FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON thread_participants USING (operates());
CREATE POLICY sides ON thread_participants FOR SELECT USING ((SELECT true FROM threads t WHERE t.id = thread_id));
CREATE POLICY added ON thread_participants FOR INSERT WITH CHECK (organisation_of_user(user_id) = side_id AND EXISTS (
  SELECT FROM threads t JOIN connections c ON c.id = t.connection_id
  WHERE t.id = thread_id AND c.status = 'ACCEPTED' AND side_id IN (t.initiator_id, t.invited_id)));

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON messages USING (operates());
CREATE POLICY sides ON messages FOR SELECT USING ((SELECT true FROM threads t WHERE t.id = thread_id));
CREATE POLICY written ON messages FOR INSERT WITH CHECK (visible(sender_id)
  AND (user_id IS NULL OR organisation_of_user(user_id) = sender_id)
  AND EXISTS (SELECT FROM threads t JOIN connections c ON c.id = t.connection_id
    WHERE t.id = thread_id AND c.status = 'ACCEPTED'));

-- Begins a message between two organisations, in a session of one of them: takes the turn of both until the transaction ends,
-- and keeps the connection from ending before. Returns its status, and the time of the message: later than every message of
-- either side, whatever the clocks of several servers say. So in each organisation times increase in the order in which
-- messages become visible, and whoever has seen the newest message has seen all up to its time. No row for a connection of
-- others. A side sees only threads of its own and changes no connection, so this looks across all.
CREATE FUNCTION begin_message(connection uuid) RETURNS TABLE (status text, at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  one uuid;
  other uuid;
BEGIN
  PERFORM set_config('app.organisation', '*', true);
  SELECT c.status, least(c.initiator_id, c.invited_id), greatest(c.initiator_id, c.invited_id) INTO status, one, other
  FROM connections c WHERE c.id = connection AND session IN ('*', c.initiator_id::text, c.invited_id::text) FOR SHARE;
  IF FOUND THEN
    -- Always in this order, so that two writers never wait for each other.
    PERFORM pg_advisory_xact_lock(hashtextextended('channel ' || one, 0));
    PERFORM pg_advisory_xact_lock(hashtextextended('channel ' || other, 0));
    SELECT greatest(clock_timestamp(), interval '1 millisecond' + greatest(
      (SELECT max(last_activity_at) FROM threads WHERE initiator_id = one),
      (SELECT max(last_activity_at) FROM threads WHERE invited_id = one),
      (SELECT max(last_activity_at) FROM threads WHERE initiator_id = other),
      (SELECT max(last_activity_at) FROM threads WHERE invited_id = other)))::timestamptz(3) INTO at;
    RETURN NEXT;
  END IF;
  PERFORM set_config('app.organisation', session, true);
END $$;

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

CREATE TABLE mailbox_users (
  organisation_id uuid NOT NULL,
  mailbox_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (mailbox_id, user_id),
  FOREIGN KEY (organisation_id, mailbox_id) REFERENCES mailboxes (organisation_id, id) ON DELETE CASCADE
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
  -- Number and time of the last message; both increase with every commit (next_message_time).
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

ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE threads FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON threads USING (visible(initiator_id) OR visible(invited_id));

ALTER TABLE thread_participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE thread_participants FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON thread_participants USING (EXISTS (SELECT FROM threads t WHERE t.id = thread_id));

-- Both sides read every message; only the side that wrote one changes it.
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY sides ON messages FOR SELECT USING (EXISTS (SELECT FROM threads t WHERE t.id = thread_id));
CREATE POLICY sender ON messages USING (visible(sender_id) AND EXISTS (SELECT FROM threads t WHERE t.id = thread_id));

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

-- Takes the turn of both sides until the transaction ends, and returns the time of the message that is written in it: later
-- than every message of either side, whatever the clocks of several servers say. So in each organisation times increase in
-- the order in which messages become visible, and whoever has seen the newest message has seen all up to its time. A side
-- sees only threads of its own, so this looks across all.
CREATE FUNCTION next_message_time(one uuid, other uuid) RETURNS timestamptz(3) LANGUAGE plpgsql AS $$
DECLARE
  session text := current_setting('app.organisation', true);
  newest timestamptz;
BEGIN
  -- In one order, so that two writers never wait for each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('channel ' || least(one, other), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('channel ' || greatest(one, other), 0));
  PERFORM set_config('app.organisation', '*', true);
  SELECT greatest(
    (SELECT max(last_activity_at) FROM threads WHERE initiator_id = one),
    (SELECT max(last_activity_at) FROM threads WHERE invited_id = one),
    (SELECT max(last_activity_at) FROM threads WHERE initiator_id = other),
    (SELECT max(last_activity_at) FROM threads WHERE invited_id = other)) INTO newest;
  PERFORM set_config('app.organisation', session, true);
  RETURN greatest(clock_timestamp()::timestamptz(3), newest + interval '1 millisecond');
END $$;

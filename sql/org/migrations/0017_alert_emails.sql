-- E-mail addresses that are told what an alert has found, at most once a night. A row is address and outbox in one: the
-- events that its next message tells of are named in the transaction that stores them.
CREATE TABLE alert_emails (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  alert_id uuid NOT NULL,
  -- Its place among those of the alert.
  position integer NOT NULL,
  -- The address, encrypted (sql/org/encryption.ts).
  address text NOT NULL,
  key_id text NOT NULL,
  -- Events that no message has told of; some may be forgotten meanwhile.
  pending_events uuid[] NOT NULL DEFAULT '{}',
  -- Attempts at the next message that failed.
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  -- Set while an attempt is under way; another instance takes it over once that time has passed.
  claimed_until timestamptz(3),
  last_sent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CHECK ((cardinality(pending_events) > 0) = (next_attempt_at IS NOT NULL)),
  FOREIGN KEY (organisation_id, alert_id) REFERENCES alerts (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_emails_of_alert ON alert_emails (organisation_id, alert_id);
CREATE INDEX alert_emails_due ON alert_emails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX alert_emails_by_key ON alert_emails (key_id);

ALTER TABLE alert_emails ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_emails FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON alert_emails USING (visible(organisation_id));

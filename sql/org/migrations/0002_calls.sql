-- What is kept of calls: how many there were, what they answered, and who made them.

-- Calls of a key in the running window of a cost class. Not logged: after a crash of the server windows begin anew.
CREATE UNLOGGED TABLE limit_windows (
  organisation_id uuid NOT NULL,
  key_id uuid NOT NULL,
  cost_class text NOT NULL,
  began timestamptz NOT NULL,
  -- Refused calls count too; whoever was granted a place has one up to the limit.
  used integer NOT NULL,
  PRIMARY KEY (key_id, cost_class)
);

-- Calls of an organisation in a calendar month (Europe/Berlin), up to its quota.
CREATE TABLE usage_months (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  month date NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (organisation_id, month)
);

-- Takes places for calls: each row of `takes` asks for `amount` calls of one key in one cost class.
--   cost_class, most, seconds: null = no class limit; quota: null = not counted against the month.
-- Rows are taken in one order, so that two statements at a time cannot wait for each other in a circle.
-- Answers how many the window granted, how many of those the month granted, and where both stand now.
CREATE FUNCTION take_calls(takes jsonb) RETURNS TABLE (
  key_id uuid, cost_class text, in_window integer, window_ends timestamptz(3), window_used integer,
  granted integer, month_used bigint, month_ends timestamptz(3)
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  take record;
  this_month date := date_trunc('month', now() AT TIME ZONE 'Europe/Berlin')::date;
  month_before bigint;
BEGIN
  month_ends := (this_month + interval '1 month') AT TIME ZONE 'Europe/Berlin';
  FOR take IN
    SELECT * FROM jsonb_to_recordset(takes) AS t (
      organisation_id uuid, key_id uuid, cost_class text, most integer, seconds integer, quota bigint, amount integer)
    ORDER BY t.organisation_id, t.key_id, t.cost_class
  LOOP
    key_id := take.key_id;
    cost_class := take.cost_class;
    in_window := take.amount;
    window_used := NULL;
    window_ends := NULL;
    month_used := NULL;
    IF take.most IS NOT NULL THEN
      INSERT INTO limit_windows AS w (organisation_id, key_id, cost_class, began, used)
      VALUES (take.organisation_id, take.key_id, take.cost_class, now(), take.amount)
      ON CONFLICT (key_id, cost_class) DO UPDATE SET
        began = CASE WHEN w.began + make_interval(secs => take.seconds) > now() THEN w.began ELSE now() END,
        used = CASE WHEN w.began + make_interval(secs => take.seconds) > now() THEN w.used ELSE 0 END + take.amount
      RETURNING w.used, w.began + make_interval(secs => take.seconds) INTO window_used, window_ends;
      in_window := greatest(0, least(take.amount, take.most - (window_used - take.amount)));
    END IF;
    granted := in_window;
    IF take.quota IS NOT NULL THEN
      INSERT INTO usage_months (organisation_id, month, used) VALUES (take.organisation_id, this_month, 0)
      ON CONFLICT DO NOTHING;
      SELECT m.used INTO month_before FROM usage_months m
      WHERE m.organisation_id = take.organisation_id AND m.month = this_month FOR UPDATE;
      granted := greatest(0, least(in_window, take.quota - month_before));
      month_used := month_before + granted;
      IF granted > 0 THEN
        UPDATE usage_months m SET used = month_used
        WHERE m.organisation_id = take.organisation_id AND m.month = this_month;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Answers of write calls with an Idempotency-Key, for 24 hours.
CREATE TABLE idempotency_keys (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  key text NOT NULL,
  -- SHA-256 over what was asked, hexadecimal.
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organisation_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- One row for each call that was authenticated, or refused because it could not be.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  -- Null = nobody knows whose call it was.
  organisation_id uuid REFERENCES organisations ON DELETE CASCADE,
  answered_at timestamptz(3) NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  duration_ms integer NOT NULL,
  -- Rows in the answer; null for answers that are no list.
  row_count integer,
  request_id uuid NOT NULL,
  key_id uuid,
  key_prefix text,
  -- Only of refused and failed calls, and cleaned of keys.
  query text,
  query_hash text
);
CREATE INDEX audit_log_newest ON audit_log (organisation_id, answered_at DESC, id DESC);
CREATE INDEX audit_log_by_age ON audit_log (answered_at);

-- The last run of each job, whatever came of it.
CREATE TABLE job_runs (
  job text PRIMARY KEY,
  ran_at timestamptz(3) NOT NULL,
  took_ms integer NOT NULL,
  -- What it did, in words; null when it failed.
  outcome text,
  error text
);

ALTER TABLE limit_windows ENABLE ROW LEVEL SECURITY;
ALTER TABLE limit_windows FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON limit_windows USING (visible(organisation_id));

ALTER TABLE usage_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_months FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON usage_months USING (visible(organisation_id));

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON idempotency_keys USING (visible(organisation_id));

ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON audit_log USING (visible(organisation_id));

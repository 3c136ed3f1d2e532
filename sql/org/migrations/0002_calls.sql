-- What is kept of calls: how many there were, what they answered, and who made them.

-- Calls of a key in the running window of a cost class. Not logged: after a crash of the server windows begin anew.
CREATE UNLOGGED TABLE limit_windows (
  organisation_id uuid NOT NULL,
  key_id uuid NOT NULL,
  cost_class text NOT NULL,
  began timestamptz(3) NOT NULL,
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

-- The calendar month of a moment, as its first day.
CREATE FUNCTION month_of(moment timestamptz) RETURNS date LANGUAGE sql STABLE
  RETURN date_trunc('month', moment AT TIME ZONE 'Europe/Berlin');

-- The moment at which a calendar month is over.
CREATE FUNCTION end_of_month(month date) RETURNS timestamptz LANGUAGE sql STABLE
  RETURN (month + interval '1 month') AT TIME ZONE 'Europe/Berlin';

-- A wish for `amount` calls of one key in one cost class; for 0 calls one only looks, and nothing is written.
CREATE TYPE wish AS (
  organisation_id uuid,
  key_id uuid,
  cost_class text,
  -- Calls per window of so many seconds; null = no limit of the class.
  most integer,
  seconds integer,
  -- Calls per month; null = not counted against the month.
  quota bigint,
  amount integer
);

-- Counts calls in the window that runs, or in one that begins now. Answers the window as it stands then.
CREATE FUNCTION count_in_window(wish wish) RETURNS limit_windows LANGUAGE plpgsql AS $$
DECLARE
  -- What began earlier is over.
  earliest timestamptz := now() - make_interval(secs => wish.seconds);
  counted limit_windows;
BEGIN
  IF wish.amount > 0 THEN
    INSERT INTO limit_windows AS w (organisation_id, key_id, cost_class, began, used)
    VALUES (wish.organisation_id, wish.key_id, wish.cost_class, now(), wish.amount)
    ON CONFLICT (key_id, cost_class) DO UPDATE SET
      began = CASE WHEN w.began > earliest THEN w.began ELSE now() END,
      used = CASE WHEN w.began > earliest THEN w.used ELSE 0 END + wish.amount
    RETURNING * INTO counted;
  ELSE
    SELECT * INTO counted FROM limit_windows w
    WHERE w.key_id = wish.key_id AND w.cost_class = wish.cost_class AND w.began > earliest;
    IF NOT FOUND THEN
      counted := (wish.organisation_id, wish.key_id, wish.cost_class, now()::timestamptz(3), 0);
    END IF;
  END IF;
  RETURN counted;
END $$;

-- Counts calls of an organisation in the running month, as far as the quota goes. Answers how many that were.
CREATE FUNCTION count_in_month(organisation uuid, quota bigint, amount integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  room bigint;
BEGIN
  -- None for an organisation that is no longer there.
  INSERT INTO usage_months (organisation_id, month, used)
  SELECT id, month_of(now()), 0 FROM organisations WHERE id = organisation
  ON CONFLICT DO NOTHING;
  SELECT quota - used INTO room FROM usage_months
  WHERE organisation_id = organisation AND month = month_of(now()) FOR UPDATE;
  amount := greatest(0, least(amount, coalesce(room, 0)));
  IF amount > 0 THEN
    UPDATE usage_months SET used = used + amount
    WHERE organisation_id = organisation AND month = month_of(now());
  END IF;
  RETURN amount;
END $$;

-- Takes places for calls; `takes` is an array of wishes. Answers for each how many calls its window granted, how many of
-- those the month granted, and where both stand now.
CREATE FUNCTION take_calls(takes jsonb) RETURNS TABLE (
  key_id uuid, cost_class text, in_window integer, window_ends timestamptz, window_used integer,
  granted integer, month_used bigint, month_ends timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  wishes wish[];
  wish wish;
  windows limit_windows[] := '{}';
BEGIN
  -- First the windows, then the months, both in this order: so that two statements never wait for each other in a circle.
  wishes := array(
    SELECT w FROM jsonb_populate_recordset(NULL::wish, takes) w ORDER BY w.organisation_id, w.key_id, w.cost_class);
  FOREACH wish IN ARRAY wishes LOOP
    windows := array_append(windows, CASE WHEN wish.most IS NOT NULL THEN count_in_window(wish) END);
  END LOOP;
  month_ends := end_of_month(month_of(now()));
  FOR i IN 1 .. cardinality(wishes) LOOP
    wish := wishes[i];
    key_id := wish.key_id;
    cost_class := wish.cost_class;
    window_used := windows[i].used;
    window_ends := windows[i].began + make_interval(secs => wish.seconds);
    -- Without a limit of the class the second term is null, and least passes over it.
    in_window := greatest(0, least(wish.amount, wish.most - (window_used - wish.amount)));
    granted := in_window;
    month_used := NULL;
    IF wish.quota IS NOT NULL THEN
      IF in_window > 0 THEN
        granted := count_in_month(wish.organisation_id, wish.quota, in_window);
      END IF;
      month_used := coalesce((
        SELECT m.used FROM usage_months m
        WHERE m.organisation_id = wish.organisation_id AND m.month = month_of(now())), 0);
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

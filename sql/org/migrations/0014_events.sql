-- Alerts, the events that they fire, and the webhook endpoints that events are delivered to.

CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  name text NOT NULL,
  template text NOT NULL CHECK (template IN ('NEW_UNIT', 'SIGNAL_CHANGE')),
  -- The signals that a SIGNAL_CHANGE watches.
  signals text[] NOT NULL,
  -- Unit filters as POST /v1/units/search writes them, or the saved filter that has them at the moment of evaluation. That
  -- filter may be deleted; the alert then is faulty.
  criteria jsonb,
  saved_filter_id uuid,
  enabled boolean NOT NULL,
  -- The alert is evaluated for versions that are published from then on; the time moves whenever the alert is enabled.
  enabled_at timestamptz(3) NOT NULL,
  -- The reason why the last evaluation was impossible; null = it was possible.
  fault text,
  faulty_since timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, name),
  UNIQUE (organisation_id, id),
  CHECK ((criteria IS NULL) <> (saved_filter_id IS NULL)),
  CHECK ((template = 'SIGNAL_CHANGE') = (cardinality(signals) > 0)),
  CHECK ((fault IS NULL) = (faulty_since IS NULL))
);
CREATE INDEX alerts_enabled ON alerts (enabled_at) WHERE enabled;

-- The published versions that alerts were, or are being, evaluated for. The claim says which instance evaluates.
CREATE TABLE evaluations (
  version text PRIMARY KEY,
  published_at timestamptz(3) NOT NULL,
  -- The version that was served before; null = there was none, and so nothing is news.
  compared_with text,
  -- Set while the evaluation is under way; another instance takes it over once that time has passed.
  claimed_until timestamptz(3),
  -- Claims, of which a process that was killed leaves one without an end; the number identifies the last claim.
  attempts integer NOT NULL,
  -- Attempts that ended with an error of the version; after too many the evaluation is given up.
  failures integer NOT NULL DEFAULT 0,
  -- The reason why the last attempt failed; it is tried again.
  error text,
  changed_units integer,
  evaluated_alerts integer,
  events integer,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);

-- The outcome of an alert for a version. A row is written in the transaction of its event, so that there is never a second.
CREATE TABLE alert_evaluations (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  alert_id uuid NOT NULL,
  version text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('NO_MATCH', 'FIRED', 'FAULTY')),
  matches integer NOT NULL,
  fault text,
  -- The event may have been forgotten since.
  event_id uuid,
  evaluated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (alert_id, version),
  FOREIGN KEY (organisation_id, alert_id) REFERENCES alerts (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_evaluations_by_age ON alert_evaluations (evaluated_at);

-- The last event of each organisation. Whoever stores an event locks the row until the transaction ends, so numbers and times
-- increase with every commit: a reader that goes on after the last number it has seen misses none.
CREATE TABLE event_counters (
  organisation_id uuid PRIMARY KEY REFERENCES organisations ON DELETE CASCADE,
  last_number bigint NOT NULL,
  last_at timestamptz(3) NOT NULL,
  -- Events up to this number were removed when their time was over.
  forgotten_number bigint NOT NULL DEFAULT 0
);

CREATE TABLE events (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  number bigint NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  -- The JSON that webhooks deliver and GET /v1/events answers, byte by byte.
  payload text NOT NULL,
  -- MaStR numbers of the event's units, in order: at most as many as a list delivers.
  mastr_numbers text[] NOT NULL,
  UNIQUE (organisation_id, number),
  UNIQUE (organisation_id, id)
);
CREATE INDEX events_by_type ON events (organisation_id, type, number);
CREATE INDEX events_of_organisation_by_age ON events (organisation_id, occurred_at);
CREATE INDEX events_by_age ON events (occurred_at);

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL,
  -- Null = all types, also those of later releases.
  event_types text[],
  disabled boolean NOT NULL,
  -- MANUAL: the organisation or the operator disabled it; GONE: the receiver answered 410; FAILING: nothing arrived for days.
  disabled_reason text CHECK (disabled_reason IN ('MANUAL', 'GONE', 'FAILING')),
  disabled_at timestamptz(3),
  -- The current secret, encrypted (sql/org/encryption.ts).
  secret text NOT NULL,
  secret_key_id text NOT NULL,
  -- The former secret, encrypted; it signs as well until its time is over.
  previous_secret text,
  previous_secret_key_id text,
  previous_secret_until timestamptz(3),
  -- The first of the failed attempts since the last one that succeeded; null = the last one succeeded, or there was none.
  failing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (organisation_id, url),
  UNIQUE (organisation_id, id),
  CHECK (disabled = (disabled_reason IS NOT NULL)),
  CHECK (disabled = (disabled_at IS NOT NULL)),
  CHECK ((previous_secret IS NULL) = (previous_secret_key_id IS NULL)),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhook_endpoints_disabled ON webhook_endpoints (disabled_reason) WHERE disabled;
CREATE INDEX webhook_endpoints_by_key ON webhook_endpoints (secret_key_id);
CREATE INDEX webhook_endpoints_by_previous_key ON webhook_endpoints (previous_secret_key_id)
  WHERE previous_secret_key_id IS NOT NULL;

-- The outbox: one row for each event and endpoint, written in the transaction that stores the event.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  -- PENDING: an attempt is due at next_attempt_at; DELIVERED: the last one succeeded; FAILED: all of them failed;
  -- SKIPPED: the endpoint was disabled when the event occurred.
  state text NOT NULL CHECK (state IN ('PENDING', 'DELIVERED', 'FAILED', 'SKIPPED')),
  -- Attempts since the delivery was created or replayed: its place in the schedule.
  attempts integer NOT NULL,
  next_attempt_at timestamptz(3),
  -- Set while an attempt is under way; another instance takes it over once that time has passed.
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- The last time that the message arrived; a replay keeps it. Null = it never did.
  delivered_at timestamptz(3),
  UNIQUE (endpoint_id, event_id),
  UNIQUE (organisation_id, id),
  CHECK ((state = 'PENDING') = (next_attempt_at IS NOT NULL)),
  FOREIGN KEY (organisation_id, endpoint_id) REFERENCES webhook_endpoints (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, event_id) REFERENCES events (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_arrived ON webhook_deliveries (endpoint_id, delivered_at DESC) WHERE delivered_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id);
-- The deliveries that a replay of all that never arrived looks for, among very many that did.
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (organisation_id, created_at)
  WHERE state IN ('FAILED', 'SKIPPED');

CREATE TABLE webhook_attempts (
  organisation_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  -- Counts all attempts of the delivery from 1, those before a replay included.
  number integer NOT NULL,
  began_at timestamptz(3) NOT NULL,
  took_ms integer NOT NULL,
  -- The status of the answer; null = there was none.
  status integer,
  -- Null = an answer came.
  error text,
  -- The first kilobyte of the answer.
  answer text,
  PRIMARY KEY (delivery_id, number),
  FOREIGN KEY (organisation_id, delivery_id) REFERENCES webhook_deliveries (organisation_id, id) ON DELETE CASCADE
);

ALTER TABLE alerts ENABLE ROW LEVEL SECURITY;
ALTER TABLE alerts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON alerts USING (visible(organisation_id));

ALTER TABLE alert_evaluations ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_evaluations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON alert_evaluations USING (visible(organisation_id));

ALTER TABLE event_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_counters FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON event_counters USING (visible(organisation_id));

ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON events USING (visible(organisation_id));

ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_endpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON webhook_endpoints USING (visible(organisation_id));

ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON webhook_deliveries USING (visible(organisation_id));

ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON webhook_attempts USING (visible(organisation_id));

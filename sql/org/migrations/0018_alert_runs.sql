-- What became of the e-mails of an event, beside the outcome that fired it.
ALTER TABLE alert_evaluations
  ADD COLUMN emails_sent integer NOT NULL DEFAULT 0,
  ADD COLUMN emails_failed integer NOT NULL DEFAULT 0,
  -- The code of the last attempt that failed; the answer of a server may name the address.
  ADD COLUMN email_error text;

-- When a test of an alert was last sent in the name of the organisation.
ALTER TABLE organisations ADD COLUMN alert_tested_at timestamptz(3);

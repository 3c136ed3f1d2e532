-- Alerts on fields that have changed, and events that say what has.
ALTER TABLE alerts
  DROP CONSTRAINT alerts_template_check,
  ADD CONSTRAINT alerts_template_check
    CHECK (template IN ('NEW_UNIT', 'SIGNAL_CHANGE', 'FIELD_CHANGE', 'STATUS_CHANGE', 'COMMISSIONED')),
  -- The fields that a FIELD_CHANGE watches.
  ADD COLUMN fields text[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT alerts_fields_check CHECK ((template = 'FIELD_CHANGE') = (cardinality(fields) > 0));

ALTER TABLE webhook_endpoints
  -- The form of the events that it gets.
  ADD COLUMN schema_version integer NOT NULL DEFAULT 1 CONSTRAINT webhook_endpoints_schema_version_check CHECK (schema_version IN (1, 2));

-- The payload in the form of schema version 2; null = no endpoint of the organisation took it when the event occurred.
ALTER TABLE events ADD COLUMN payload_2 text;

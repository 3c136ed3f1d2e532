-- The page of the dashboards with its choices that a saved filter opens; null = it is a filter alone.
ALTER TABLE saved_filters ADD COLUMN view jsonb;

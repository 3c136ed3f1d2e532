-- Public links to one view each of the pages under /app. A link shows the register, and nothing else of the organisation.
CREATE TABLE shares (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  -- For the list of the organisation; visitors never see it.
  name text NOT NULL,
  page text NOT NULL,
  -- The choices of the page, as its address has them, without `?`.
  query text NOT NULL,
  -- Origins whose pages may show the view in a frame; none = no page may.
  frame_ancestors text[] NOT NULL,
  -- Prefix of the key that it was made with. The key may be gone: the link is of the organisation.
  key_prefix text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The last day on which it holds, in Europe/Berlin.
  ends_on date NOT NULL,
  revoked_at timestamptz(3),
  -- Openings of its page, and requests to the interface that were answered through it.
  views bigint NOT NULL DEFAULT 0,
  calls bigint NOT NULL DEFAULT 0,
  last_used_at timestamptz(3)
);
CREATE INDEX shares_of_organisation ON shares (organisation_id);

ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
ALTER TABLE shares FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON shares USING (visible(organisation_id));

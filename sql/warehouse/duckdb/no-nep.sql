-- No list of the grid development plan was loaded.

CREATE TEMP TABLE nep (nummer BIGINT, kraftwerksnummer VARCHAR);

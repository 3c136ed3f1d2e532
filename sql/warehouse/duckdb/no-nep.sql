-- No list of the grid development plan was loaded.

CREATE TABLE scratch.nep (nummer BIGINT, kraftwerksnummer VARCHAR);

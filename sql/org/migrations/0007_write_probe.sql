-- One row, written over itself now and then to see whether the store takes writes.
CREATE TABLE write_probe (
  id smallint PRIMARY KEY CHECK (id = 1),
  at timestamptz(3) NOT NULL
);

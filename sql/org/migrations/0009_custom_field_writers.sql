-- Custom fields of two more types, fields that are no longer used, values that a partner wrote, and the words of texts.

ALTER TABLE custom_fields DROP CONSTRAINT custom_fields_type_check;
ALTER TABLE custom_fields ADD CONSTRAINT custom_fields_type_check
  CHECK (type IN ('TEXT', 'LONG_TEXT', 'DROPDOWN', 'URL', 'NUMBER', 'DATE', 'FILE', 'CONTACT'));
-- From then on the field and its values are kept, but neither shown, searched nor written.
ALTER TABLE custom_fields ADD retired_at timestamptz(3);

-- Texts are searched through their words, as a search term holds no blank and so lies within one word. A scan of all texts
-- would ask row-level security for each of them, and an index of parts of texts would not be used below it: only operators
-- that leak nothing are, and equality is one.

-- The distinct words of an organisation, in few rows, each of which a search reads as a whole. A word stays until the sweep
-- finds that no unit has it.
CREATE TABLE custom_field_words (
  organisation_id uuid NOT NULL REFERENCES organisations ON DELETE CASCADE,
  -- Words are spread over the buckets by their keys.
  bucket integer NOT NULL,
  -- With a blank before and behind each.
  words text NOT NULL,
  PRIMARY KEY (organisation_id, bucket)
);
-- Every search reads all of them: unpacking would take longer than reading.
ALTER TABLE custom_field_words ALTER words SET STORAGE EXTERNAL;

-- The units that have a word in a field. Triggers keep the rows in step with the values.
CREATE TABLE custom_field_word_units (
  organisation_id uuid NOT NULL,
  word_key bigint NOT NULL,
  mastr_number text NOT NULL,
  field_id uuid NOT NULL,
  PRIMARY KEY (organisation_id, word_key, mastr_number, field_id)
);

ALTER TABLE custom_field_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE custom_field_words FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON custom_field_words USING (visible(organisation_id));

ALTER TABLE custom_field_word_units ENABLE ROW LEVEL SECURITY;
ALTER TABLE custom_field_word_units FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON custom_field_word_units USING (visible(organisation_id));

-- Stands for a word, which may be long, in 64 bits. Postgres places the rows of partitions by this function, so that it gives
-- the same in every version; a backup moves between them.
CREATE FUNCTION word_key(word text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
  RETURN hashtextextended(word, 0);

CREATE FUNCTION word_bucket(word text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT
  RETURN (hashtextextended(word, 0) & 4095)::integer;

-- The words of a folded text (sql/query/fold.ts), each once. Being not STRICT, it can become a part of the asking statement.
CREATE FUNCTION words_of(folded_text text) RETURNS SETOF text LANGUAGE sql IMMUTABLE ROWS 10
BEGIN ATOMIC
  SELECT DISTINCT word FROM unnest(string_to_array(folded_text, ' ')) AS word WHERE word <> '';
END;

-- A partner that answers writes a value of another organisation, but must not see that organisation's words: so for the
-- time of this function the session works across all organisations.
CREATE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organisation text := current_setting('app.organisation');
BEGIN
  PERFORM set_config('app.organisation', '*', true);
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO custom_field_words AS w (organisation_id, bucket, words)
    SELECT n.organisation_id, n.bucket, ' ' || string_agg(n.word, ' ') || ' '
    FROM (SELECT DISTINCT organisation_id, word, word_bucket(word) AS bucket
      FROM added, words_of(folded_text) AS word) AS n
    LEFT JOIN custom_field_words AS known ON known.organisation_id = n.organisation_id AND known.bucket = n.bucket
    WHERE known.words IS NULL OR position(' ' || n.word || ' ' IN known.words) = 0
    GROUP BY n.organisation_id, n.bucket ORDER BY n.organisation_id, n.bucket
    ON CONFLICT (organisation_id, bucket) DO UPDATE SET words = w.words || substr(excluded.words, 2);

    INSERT INTO custom_field_word_units (organisation_id, word_key, mastr_number, field_id)
    SELECT DISTINCT organisation_id, word_key(word), mastr_number, field_id FROM added, words_of(folded_text) AS word
    ON CONFLICT DO NOTHING;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM custom_field_word_units AS u USING (
      SELECT organisation_id, mastr_number, field_id, word_key(word) AS word_key
      FROM removed, words_of(folded_text) AS word
      EXCEPT
      SELECT v.organisation_id, v.mastr_number, v.field_id, word_key(word)
      FROM (SELECT DISTINCT organisation_id, mastr_number, field_id FROM removed) AS r
      JOIN custom_field_values AS v ON v.organisation_id = r.organisation_id AND v.mastr_number = r.mastr_number
        AND v.field_id = r.field_id, words_of(v.folded_text) AS word) AS gone
    WHERE u.organisation_id = gone.organisation_id AND u.word_key = gone.word_key
      AND u.mastr_number = gone.mastr_number AND u.field_id = gone.field_id;
  END IF;
  PERFORM set_config('app.organisation', organisation, true);
  RETURN NULL;
END $$;
CREATE TRIGGER words_of_added AFTER INSERT ON custom_field_values
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_words();
CREATE TRIGGER words_of_changed AFTER UPDATE ON custom_field_values
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_words();
CREATE TRIGGER words_of_removed AFTER DELETE ON custom_field_values
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_words();

-- The organisation that wrote a value: the field's own, or a partner that it asked. It need not be in this store, since an
-- organisation can move to another one alone. Nothing has written values as a partner before; such a row keeps an unknown
-- writer. The update of every row also collects the words of the texts that are there.
ALTER TABLE custom_field_values ADD writer_id uuid;
UPDATE custom_field_values SET writer_id =
  CASE written_by WHEN 'own' THEN organisation_id ELSE '00000000-0000-0000-0000-000000000000' END;
ALTER TABLE custom_field_values ALTER writer_id SET NOT NULL, DROP COLUMN written_by;
-- Several partners can answer the same field of a unit, each with values of its own.
ALTER TABLE custom_field_values DROP CONSTRAINT custom_field_values_pkey;
ALTER TABLE custom_field_values ADD PRIMARY KEY (organisation_id, mastr_number, field_id, writer_id, position);

-- Custom fields of two more types, fields that are no longer used, and values that a partner wrote.

ALTER TABLE custom_fields DROP CONSTRAINT custom_fields_type_check;
ALTER TABLE custom_fields ADD CONSTRAINT custom_fields_type_check
  CHECK (type IN ('TEXT', 'LONG_TEXT', 'DROPDOWN', 'URL', 'NUMBER', 'DATE', 'FILE', 'CONTACT'));
-- From then on the field and its values are kept, but neither shown, searched nor written.
ALTER TABLE custom_fields ADD retired_at timestamptz(3);

-- The organisation that wrote a value: the field's own, or a partner that it asked. It need not be in this store, since an
-- organisation can move to another one alone. Nothing has written values as a partner before; such a row keeps an unknown writer.
ALTER TABLE custom_field_values ADD writer_id uuid;
UPDATE custom_field_values SET writer_id =
  CASE written_by WHEN 'own' THEN organisation_id ELSE '00000000-0000-0000-0000-000000000000' END;
ALTER TABLE custom_field_values ALTER writer_id SET NOT NULL, DROP COLUMN written_by;
-- Several partners can answer the same field of a unit, each with values of its own.
ALTER TABLE custom_field_values DROP CONSTRAINT custom_field_values_pkey;
ALTER TABLE custom_field_values ADD PRIMARY KEY (organisation_id, mastr_number, field_id, writer_id, position);

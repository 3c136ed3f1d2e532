-- Values of the staged files as the tables show them.

-- A MaStR number from its 64 bits: three letters as a number times 2^40, plus twelve digits.
CREATE TEMP MACRO mastr(n) AS
  chr(65 + (n >> 40)::INTEGER // 676) || chr(65 + (n >> 40)::INTEGER // 26 % 26) || chr(65 + (n >> 40)::INTEGER % 26)
  || lpad((n & 1099511627775)::VARCHAR, 12, '0');

-- The same the other way; NULL for a text that is no MaStR number.
CREATE TEMP MACRO mastr_bits(t) AS
  CASE WHEN regexp_full_match(t, '[A-Z]{3}[0-9]{12}') THEN
    ((ord(t[1]) - 65) * 676 + (ord(t[2]) - 65) * 26 + ord(t[3]) - 65)::BIGINT * 1099511627776 + t[4:]::BIGINT
  END;

-- A list from the text in which its items stand with U+001F between them.
CREATE TEMP MACRO liste(t) AS string_split(t, chr(31));

-- A text as it is searched: small letters without accents, ß as ss, one blank between words (sql/query/fold.ts).
CREATE TEMP MACRO falten(t) AS
  trim(regexp_replace(replace(lower(strip_accents(t)), 'ß', 'ss'), '[\p{Cc}\p{Z}]+', ' ', 'g'));

-- Award numbers come in mixed spelling: upper case, without blanks, joined by "; ".
CREATE TEMP MACRO zuschlaege(t) AS
  nullif(array_to_string(list_filter(list_transform(liste(t), lambda x: upper(replace(x, ' ', ''))), lambda x: x <> ''), '; '), '');

-- What the service shows of a unit's history, beside its content: first registration, shift and delay (see the fields
-- ibnVerschiebungTage and ibnVerspaetungTage of the catalogue). What grows by itself from day to day is left out.
CREATE TEMP MACRO geschichte(u) AS hash(
  u.ersteRegistrierung,
  CASE WHEN u.ersterPlantagVom < u.letzterPlantagVom THEN u.ersterPlantag END,
  CASE WHEN u.inbetriebnahmedatum IS NOT NULL THEN u.letzterPlantag END
);

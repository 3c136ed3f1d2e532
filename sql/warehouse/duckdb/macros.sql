-- Macros that convert values of the staged files for the tables.

-- A MaStR number from its 64 bits, and the reverse: NULL for any other text (sql/register/mastr-number.ts).
CREATE TEMP MACRO mastr(bits) AS {{mastrNumberOfBits}};
CREATE TEMP MACRO mastr_bits(number) AS
  CASE WHEN regexp_full_match(number, '{{mastrNumberPattern}}') THEN {{mastrBitsOfNumber}} END;

-- A list from the text that joins its items with U+001F.
CREATE TEMP MACRO split_list(t) AS string_split(t, chr(31));

-- Official keys and German postal codes that have lost their zero, as programs with columns of numbers write them. A unit with
-- a state lies in Germany.
CREATE TEMP MACRO municipality_key(key) AS
  CASE WHEN length(key) = 7 AND regexp_full_match(key, '[0-9]{7}') THEN '0' || key ELSE key END;
CREATE TEMP MACRO postal_code(code, state) AS
  CASE WHEN length(code) = 4 AND state IS NOT NULL AND regexp_full_match(code, '[0-9]{4}') THEN '0' || code ELSE code END;

-- A text as searches compare it: lower case without accents, ß as ss, one blank between words (sql/query/fold.ts).
CREATE TEMP MACRO fold_text(t) AS
  trim(regexp_replace(replace(lower(strip_accents(t)), 'ß', 'ss'), '[\p{Cc}\p{Z}]+', ' ', 'g'));

-- The energy carrier of a unit, from the kind of its file. The mixed file holds geothermal and solar thermal energy; gases
-- that burn or expand count as combustion.
CREATE TEMP MACRO carrier(kind, energietraeger) AS
  CASE kind
    WHEN 'EinheitenWind' THEN 'wind'
    WHEN 'EinheitenSolar' THEN 'solar'
    WHEN 'EinheitenStromSpeicher' THEN 'storage'
    WHEN 'EinheitenBiomasse' THEN 'biomass'
    WHEN 'EinheitenWasser' THEN 'hydro'
    WHEN 'EinheitenVerbrennung' THEN 'combustion'
    WHEN 'EinheitenKernkraft' THEN 'nuclear'
    ELSE CASE WHEN energietraeger IN (2403, 2404) THEN 'geothermal' ELSE 'combustion' END
  END;

-- The bit of a carrier in a set of carriers (sql/catalogue/carriers.ts).
CREATE TEMP MACRO carrier_bit(name) AS {{carrierBit}};

-- The name of a place as award lists and register have in common: folded, without its kind, additions in brackets, blanks and
-- signs.
CREATE TEMP MACRO place_key(t) AS
  nullif(regexp_replace(
    regexp_replace(regexp_replace(split_part(fold_text(t), ',', 1), ' ?[(].*[)]', ''), '^(kreisfreie stadt|landkreis|kreis|markt|stadt|gemeinde) | (landkreis|stadt|kreis)$', '', 'g'),
    '[^a-z0-9]', '', 'g'
  ), '');

-- A number of thousandths as a decimal; NULL where it has too many digits.
CREATE TEMP MACRO thousandths(n) AS TRY_CAST(n * 0.001 AS DECIMAL(18, 3));

-- Award numbers come in mixed spelling: upper case, without blanks, joined by "; ".
CREATE TEMP MACRO award_numbers(t) AS
  nullif(array_to_string(list_filter(list_transform(split_list(t), lambda x: upper(replace(x, ' ', ''))), lambda x: x <> ''), '; '), '');

-- A hash of the history that the service shows with a unit: first registration, shift and delay (see the fields
-- ibnVerschiebungTage and ibnVerspaetungTage of the catalogue). Values that grow from day to day are left out.
CREATE TEMP MACRO history_hash(u) AS hash(
  u.ersteRegistrierung,
  CASE WHEN u.ersterPlantagVom < u.letzterPlantagVom THEN u.ersterPlantag END,
  CASE WHEN u.inbetriebnahmedatum IS NOT NULL THEN u.letzterPlantag END
);

-- The day of the last export in which a unit was planned, from its row in a version of a day. While it is planned, its row does not
-- say so, as it would be another one each night.
CREATE TEMP MACRO last_planned_on(u, day) AS
  CASE WHEN u.geplantesInbetriebnahmedatum IS NOT NULL THEN greatest(u.letzterPlantagVom, day) ELSE u.letzterPlantagVom END;

-- Says whether an EEG plant is of the kind of the unit that names it.
CREATE TEMP MACRO plant_fits(unit_kind, plant_kind) AS replace(unit_kind, 'Einheiten', 'AnlagenEeg') = plant_kind;

-- The state of a unit on which its support depends: in operation, planned, anything else.
CREATE TEMP MACRO support_state(status) AS CASE WHEN status IN (31, 35) THEN status ELSE 0 END;

-- Says whether rows of a group differ in a value.
CREATE TEMP MACRO differs(x) AS count(DISTINCT coalesce(x::VARCHAR, '')) > 1;

-- The capacity by which a unit counts in its EEG plant: modules of solar plants, otherwise the net rated capacity.
CREATE TEMP MACRO unit_capacity(file_kind, gross, net) AS
  CASE WHEN file_kind = 'EinheitenSolar' THEN coalesce(gross, net) ELSE coalesce(net, gross) END;

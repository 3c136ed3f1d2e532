-- The tables of units. `units` is filled by units.sql. Their columns are derived from the catalogue of unit fields (sql/catalogue).

-- One wide row per served unit, ordered by mastrNummer.
CREATE TABLE units (
{{unitColumns}}
);

-- The last served row of every unit that left the list, for delta reads. Never a name of an operator.
CREATE TABLE units_departed (
  abgangSeit INTEGER NOT NULL, -- build in which it was gone first
  abgangGrund VARCHAR NOT NULL, -- geloescht: the register says deleted or deactivated; verschwunden: it says nothing;
  --   zurueckgenommen: it was only in a version that was rolled back
{{unitColumns}}
);

-- Rows that were served and replaced by another one of the same unit, from `gueltigSeit` to before `ersetztSeit`: what was known on an
-- earlier day, and where delta reads with a filter find the units that have left the filter. Never a name of an operator.
CREATE TABLE units_ersetzt (
  ersetztSeit INTEGER NOT NULL, -- build that replaced the row
  ersetztAm DATE NOT NULL, -- day of that build's export
  abgangGrund VARCHAR, -- why the unit had left with the row, and came back later; NULL: another row followed at once
{{unitColumns}}
);

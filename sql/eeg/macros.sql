-- The larger and the smaller of two, and unknown where one is: greatest() and least() of the engine skip what is unknown.
CREATE OR REPLACE TEMP MACRO eeg_at_least(one, other) AS CASE WHEN one < other THEN other WHEN one >= other THEN one END;
CREATE OR REPLACE TEMP MACRO eeg_at_most(one, other) AS CASE WHEN one > other THEN other WHEN one <= other THEN one END;

-- Half up, of numbers that are not negative.
CREATE OR REPLACE TEMP MACRO eeg_half_up(numerator, denominator) AS (2 * numerator + denominator) // (2 * denominator);

-- Money per watt of the band position from `below` to `reach`, in hundredths of a cent.
CREATE OR REPLACE TEMP MACRO eeg_mean_rate(reach, fromW, sumBelow, rate, below, belowFromW, belowSum, belowRate) AS
  eeg_half_up(sumBelow + (reach - fromW) * rate - coalesce(belowSum + (below - belowFromW) * belowRate, 0),
    reach - coalesce(below, 0));

-- A yield ratio as the register gives it, in thousandths of a percent. Some operators typed a factor; all else is an error.
CREATE OR REPLACE TEMP MACRO eeg_yield(raw) AS
  CASE WHEN raw BETWEEN 0.2 AND 2 THEN CAST(raw * 100000 AS BIGINT)
    WHEN raw BETWEEN 20 AND 200 THEN CAST(raw * 1000 AS BIGINT) END;

-- The correction factor in millionths, between two points of eeg_wind_factors.
CREATE OR REPLACE TEMP MACRO eeg_wind_factor(yield, step, atStep, atNext) AS
  atStep * 10000 + (atNext - atStep) * (yield - step * 10000);

-- Rates and laws change within a month only now and then: the month finds the few rows among which the day decides.
CREATE OR REPLACE TEMP MACRO eeg_month(day) AS year(day) * 12 + month(day);

CREATE OR REPLACE TEMP MACRO eeg_year_end(ruleDay, years) AS make_date(year(ruleDay) + years, 12, 31);

-- The carrier of the law. The kind of unit says it; the register's own energy carrier, which may be missing, only tells
-- those apart that share a kind. Landfill and sewage gas are fuels of biomass units in the register.
CREATE OR REPLACE TEMP MACRO eeg_carrier(einheitTyp, energietraegerId, hauptbrennstoffId, seelageId) AS
  CASE
    WHEN einheitTyp = 'solar' THEN 'solar'
    WHEN einheitTyp = 'wind' THEN CASE WHEN seelageId IN (639, 640, 889) THEN 'wind_see' ELSE 'wind' END
    WHEN einheitTyp = 'hydro' THEN 'wasser'
    WHEN einheitTyp = 'biomass' OR energietraegerId = 2493
      THEN CASE hauptbrennstoffId WHEN 2447 THEN 'deponiegas' WHEN 2448 THEN 'klaergas' ELSE 'biomasse' END
    WHEN energietraegerId = 2406 THEN 'grubengas'
    WHEN energietraegerId = 2403 THEN 'geothermie' END;

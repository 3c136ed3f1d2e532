import { fileURLToPath } from 'node:url';
import { sqlFile, withPieces } from '../query/sql-files.ts';
import { REASON_BITS, REASONS } from './reasons.ts';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The tables of rates are facts and not code: they lie with the other reference tables of the product. */
const referenceTable = (name: string): string =>
  literal(fileURLToPath(new URL(`../../data/reference/${name}`, import.meta.url)));

const TABLES = {
  rates: referenceTable('eeg-rates.csv'),
  settings: referenceTable('eeg-settings.csv'),
  windFactors: referenceTable('eeg-wind-factors.csv'),
};

/** The dialect is given, since the engine takes six times as long to read the rates when it has to guess. */
const FORMAT = `auto_detect = false, header = true, delim = ',', quote = '"', escape = '"'`;

/** Every setting by date that the rules ask for, as a column of `eeg_law_months`. */
const SETTINGS = [
  'law',
  'fixed_tariff_to_kw',
  'solar_roof_tender_above_kw',
  'solar_ground_tender_above_kw',
  'solar_other_tender_above_kw',
  'solar_citizen_to_kw',
  'solar_full_feed_in_to_kw',
  'wind_tender_above_kw',
  'wind_citizen_to_kw',
  'wind_small_yield_percent',
  'offshore_tender_above_kw',
  'biomass_tender_above_kw',
  'biomethane_tender_above_kw',
  'biomass_existing_last_month',
  'biomass_existing_years',
  'biomass_small_award_plus_ct',
  'utilisation_percent',
];

/** One file per group of carriers; each makes a view of the plants of its carriers. */
const CARRIER_RULES = [
  'solar.sql',
  'wind-onshore.sql',
  'wind-offshore.sql',
  'hydro.sql',
  'gases.sql',
  'biomass.sql',
  'geothermal.sql',
];

const CODES = REASONS.map(({ code, leadsTo, ofDays }, bit) => `(${bit}, '${code}', '${leadsTo}', ${ofDays})`).join(
  ', ',
);

const text = (file: string, pieces: Readonly<Record<string, string>>): string =>
  withPieces(sqlFile(import.meta.url, file), pieces);

/** Statements that prepare the rate tables, once per connection. */
export function rateStatements(): string[] {
  return [
    text('macros.sql', {}),
    text('rates.sql', { ...TABLES, format: FORMAT, settingNames: SETTINGS.map(literal).join(', ') }),
  ];
}

const statements = (files: readonly string[], day: string): string[] =>
  files.map((file) => text(file, { ...REASON_BITS, today: `DATE ${literal(day)}`, codes: CODES }));

/**
 * Statements that make the temp view `eeg_claims` of the temp table `eeg_plants`: what each plant asks of the rate table.
 * @param day the day of the version, YYYY-MM-DD, which is today to every rule
 */
export const claimStatements = (day: string): string[] =>
  statements(['cases.sql', ...CARRIER_RULES, 'claims.sql'], day);

/** Statements that fill the temp table `eeg_support` from the temp table `eeg_plants`. */
export const supportStatements = (day: string): string[] => [
  ...claimStatements(day),
  ...statements(['tendered.sql', 'results.sql', 'derivability.sql'], day),
];

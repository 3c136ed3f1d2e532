import { sqlFile } from '../../sql/query/sql-files.ts';
import type { WarehouseValue } from '../../sql/query/statement.ts';
import type { Region } from './parameters.ts';

/** A piece of SQL that yields rows (serie, einheitTyp, statusId, tag, anzahl, kw). */
interface Days {
  readonly sql: string;
  readonly values: Record<string, WarehouseValue>;
}

/** Like `daysOf`, but `tag` may be the first day of the month, which is enough for whole months. */
export const monthsOf = (place: Region | null): Days =>
  place === null ? { sql: SQL.deutschlandMonate, values: {} } : daysOf(place);

/** Chooses the smallest roll-up that has a region; its rows are exact to the day. */
export function daysOf(place: Region | null): Days {
  if (place === null) return { sql: SQL.deutschland, values: {} };
  const { ebene, region } = place;
  const sql = SQL[ebene];
  switch (ebene) {
    case 'bundesland':
      return { sql, values: { region: STATE_NAMES[region] ?? region } };
    case 'plz':
      return { sql, values: { region } };
    default:
      return { sql, values: { region, ...nameAndState(region), schluessel: officialKey(ebene, region) } };
  }
}

const file = (name: string): string => sqlFile(import.meta.url, `days/${name}.sql`);

const SQL = {
  deutschland: file('deutschland'),
  deutschlandMonate: file('deutschland-monate'),
  bundesland: file('bundesland'),
  landkreis: file('landkreis'),
  gemeinde: file('gemeinde'),
  plz: file('plz'),
};

/** `Name, Bundesland`, split at the last comma, as names of districts may hold commas themselves. */
function nameAndState(region: string): { name: string | null; bundesland: string | null } {
  const comma = region.lastIndexOf(', ');
  if (comma === -1) return { name: null, bundesland: null };
  return { name: region.slice(0, comma), bundesland: region.slice(comma + 2) };
}

const KEY_FORMS = { landkreis: /^[0-9]{5}$/, gemeinde: /^[0-9]{8}$/ };

const officialKey = (ebene: keyof typeof KEY_FORMS, region: string): string | null =>
  KEY_FORMS[ebene].test(region) ? region : null;

/** The states by the first two digits of the official municipality key. */
const STATE_NAMES: Readonly<Record<string, string>> = {
  '01': 'Schleswig-Holstein',
  '02': 'Hamburg',
  '03': 'Niedersachsen',
  '04': 'Bremen',
  '05': 'Nordrhein-Westfalen',
  '06': 'Hessen',
  '07': 'Rheinland-Pfalz',
  '08': 'Baden-Württemberg',
  '09': 'Bayern',
  '10': 'Saarland',
  '11': 'Berlin',
  '12': 'Brandenburg',
  '13': 'Mecklenburg-Vorpommern',
  '14': 'Sachsen',
  '15': 'Sachsen-Anhalt',
  '16': 'Thüringen',
};

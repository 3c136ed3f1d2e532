import { z } from 'zod';
import type { Dialects } from '../../sql/query/dialect.ts';
import { placeSql } from '../../sql/query/places.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { stateName } from '../../sql/query/states.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import type { Region } from './parameters.ts';

/** A piece of SQL that yields rows (serie, einheitTyp, statusId, tag, anzahl, kw, kwh). */
interface Days {
  readonly sql: string;
  readonly values: WarehouseStatement['values'];
}

/** Like `daysOf`, but `tag` may be the first day of the month, which is enough for whole months. */
export const monthsOf = (place: Region | null, dialects: Dialects): Days =>
  place === null ? { sql: withEnergy(SQL.deutschlandMonate, dialects), values: {} } : daysOf(place, dialects);

/** Chooses the smallest roll-up that has a region; its rows are exact to the day. */
export function daysOf(place: Region | null, dialects: Dialects): Days {
  const { sql, values } = rollupOf(place, dialects);
  return { sql: withEnergy(sql, dialects), values };
}

/** Fills in the energy of a roll-up, of which a version of an earlier release has none. */
const withEnergy = (sql: string, { units }: Dialects): string =>
  withPieces(sql, { kwh: units.storageEnergy ? 'kwh' : '0' });

function rollupOf(place: Region | null, { units }: Dialects): Days {
  if (place === null) return { sql: SQL.deutschland, values: {} };
  const { ebene, region } = place;
  switch (ebene) {
    case 'bundesland':
      return { sql: SQL.bundesland, values: { region: stateName(region) } };
    case 'plz':
      return { sql: SQL.plz, values: { region } };
    default: {
      const values = binder();
      const place = placeSql({ level: ebene, text: region }, 'regionen', units, values);
      return { sql: withPieces(SQL.place, { place, kwh: '{{kwh}}' }), values: values.values };
    }
  }
}

/** The days of a region outside of the tables. */
interface DaysOfRegions {
  /** Numbers in regionen. */
  readonly regions: readonly number[];
  readonly days: DaysReader;
}

const regionRow = z.strictObject({ region: z.number() });

/** Finds the days that answer without a statement; null for state and country, and for a version without the file of them. */
export async function daysOfRegions(place: Region | null, version: VersionReader): Promise<DaysOfRegions | null> {
  const { regionDays: days, dialects } = version;
  if (days === null || place === null || place.ebene === 'bundesland') return null;
  if (place.ebene === 'plz') return { regions: days.withPostcode(place.region), days };
  const { ebene: level, region: text } = place;
  const values = binder();
  const condition = placeSql({ level, text }, 'regionen', dialects.units, values);
  const rows = await version.kept(regionRow, {
    text: withPieces(SQL.regions, { place: condition }),
    values: values.values,
  });
  return { regions: rows.map(({ region }) => region), days };
}

const file = (name: string): string => sqlFile(import.meta.url, `days/${name}.sql`);

const SQL = {
  deutschland: file('deutschland'),
  deutschlandMonate: file('deutschland-monate'),
  bundesland: file('bundesland'),
  place: file('place'),
  plz: file('plz'),
  regions: file('regions'),
};

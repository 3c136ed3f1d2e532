import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { tableToCount } from '../../sql/query/access-paths.ts';
import { type Condition, conditionSql, isOneOfUnits } from '../../sql/query/conditions.ts';
import type { Dialect, Dialects } from '../../sql/query/dialect.ts';
import { SUMMED_ENERGY } from '../../sql/query/energy.ts';
import { COUNTED_UNITS } from '../../sql/query/groups.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { unitsMeeting } from '../../sql/query/unit-source.ts';
import { stateName } from '../../sql/register/states.ts';
import { conditionOn } from '../units/filters.ts';
import type { DaysReader, VersionReader } from '../warehouse/version.ts';
import { placeCondition, type Region, type RegionQuery, regionOf } from './parameters.ts';

/** A piece of SQL that yields rows (serie, einheitTyp, statusId, tag, anzahl, kw, kwh). */
interface Days {
  readonly sql: string;
  /** Expression over them: the carrier in the words of the register, NULL where that is not asked for. */
  readonly register: string;
  readonly values: WarehouseStatement['values'];
}

/** Like `daysOf`, but `tag` may be the first day of the month, which is enough for whole months. */
export const monthsOf = (query: RegionQuery, dialects: Dialects): Days =>
  regionOf(query) === null && !needsUnits(query)
    ? { sql: withEnergy(SQL.deutschlandMonate, dialects), register: 'NULL', values: {} }
    : daysOf(query, dialects);

/** Roll-ups do not tell single units, or the carriers of the register, apart. */
export const needsUnits = ({ registerEnergietraeger, units, filtered }: RegionQuery): boolean =>
  registerEnergietraeger !== undefined || units !== undefined || filtered !== undefined;

/** Chooses the smallest roll-up that has a region; its rows are exact to the day. */
export function daysOf(query: RegionQuery, dialects: Dialects): Days {
  if (needsUnits(query)) return daysOfUnits(query, dialects.projections);
  const { sql, values } = rollupOf(regionOf(query), dialects);
  return { sql: withEnergy(sql, dialects), register: 'NULL', values };
}

/** Fills in the energy of a roll-up, of which a version of an earlier release has none. */
const withEnergy = (sql: string, { units }: Dialects): string =>
  withPieces(sql, { kwh: units.storageEnergy ? 'kwh' : '0' });

function rollupOf(place: Region | null, { units }: Dialects): Omit<Days, 'register'> {
  if (place === null) return { sql: SQL.deutschland, values: {} };
  const { ebene, region } = place;
  switch (ebene) {
    case 'bundesland':
      return { sql: SQL.bundesland, values: { region: stateName(region) } };
    case 'plz':
      return { sql: SQL.plz, values: { region } };
    default: {
      const values = binder();
      const condition = placeCondition(place, ebene, 'regionen', units, values);
      return { sql: withPieces(SQL.place, { place: condition, kwh: '{{kwh}}' }), values: values.values };
    }
  }
}

/** Reads the units of a region and of carriers, those of the interface first, by which the projections are sorted. */
function daysOfUnits(query: RegionQuery, projections: Dialect): Days {
  const { energietraeger = [], registerEnergietraeger, units, filtered } = query;
  const criteria = filtered?.conditions ?? [];
  const place = regionOf(query);
  const asked: [filter: string, value: Condition['value']][] = [['einheitTyp', energietraeger]];
  if (registerEnergietraeger !== undefined) asked.push(['energietraeger', registerEnergietraeger]);
  const values = binder();
  const table = criteria.length === 0 ? COUNTED_UNITS : tableToCount(criteria, projections);
  const source = unitsMeeting(criteria, table, projections, values);
  const others: string[] = [];
  if (units !== undefined) others.push(isOneOfUnits(units, projections, values));
  if (place?.ebene === 'bundesland') asked.push(['bundesland', [stateName(place.region)]]);
  else if (place?.listed !== undefined && place.ebene !== 'plz') {
    others.push(placeCondition(place, place.ebene, 'units', projections, values));
  } else if (place !== null) asked.push([place.ebene, place.region]);
  const conditions = asked.map(([filter, value]) =>
    conditionSql(conditionOn(entryOf(UNIT_FILTERS, filter), value), projections, values),
  );
  const kwh = projections.storageEnergy ? `coalesce(units.${SUMMED_ENERGY}, 0)` : '0';
  const sql = withPieces(SQL.units, {
    condition: [...conditions, ...source.conditions, ...others].join(' AND '),
    conditionOfSeldom: [
      ...conditions,
      ...criteria.map((condition) => conditionSql(condition, projections, values)),
      ...others,
    ].join(' AND '),
    kwh,
    from: source.from,
  });
  return {
    sql,
    register: registerEnergietraeger === undefined ? 'NULL' : 'im_register',
    values: values.values,
  };
}

/** The days of a region outside of the tables. */
interface DaysOfRegions {
  /** Numbers in regionen. */
  readonly regions: readonly number[];
  readonly days: DaysReader;
}

const regionRow = z.strictObject({ region: z.number() });

/** Finds the days that answer without a statement; null for state and country, and for a version without the file of them. */
export async function daysOfRegions(query: RegionQuery, version: VersionReader): Promise<DaysOfRegions | null> {
  const { regionDays: days, dialects } = version;
  const place = regionOf(query);
  if (days === null || place === null || place.ebene === 'bundesland' || needsUnits(query)) return null;
  if (place.ebene === 'plz') return { regions: days.withPostcode(place.region), days };
  const values = binder();
  const condition = placeCondition(place, place.ebene, 'regionen', dialects.units, values);
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
  units: file('units'),
};

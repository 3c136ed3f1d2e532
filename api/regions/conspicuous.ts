import { z } from 'zod';
import { isOneOfUnits } from '../../sql/query/conditions.ts';
import { CONSPICUOUS_UNITS } from '../../sql/query/conspicuous.ts';
import type { Dialects } from '../../sql/query/dialect.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { type Binder, binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { stateName } from '../../sql/register/states.ts';
import { IN_OPERATION, IN_PLANNING } from '../../sql/warehouse/regions/layout.ts';
import { Problem } from '../problem/problem.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { placeCondition, type Region, type RegionQuery, regionOf } from './parameters.ts';

/**
 * The conspicuous units of a region. They are few, and their groups are kept, so that an answer says how many of them it counts, or
 * takes them out of its sums, without reading the days of a region again.
 */

const SQL = sqlFile(import.meta.url, 'conspicuous.sql');

/** Every day of the register is as late, or later. */
export const FIRST_DAY = '0001-01-01';

const groupRow = z.strictObject({
  einheitTyp: z.string(),
  statusId: z.number().nullable(),
  inbetriebnahme: z.string().nullable(),
  stilllegung: z.string().nullable(),
  planung: z.string().nullable(),
  registerEnergietraeger: z.string().nullable(),
  anzahl: z.number(),
  kw: z.number(),
  kwh: z.number(),
});

type ConspicuousGroup = z.infer<typeof groupRow>;

/** A question says whether its answer counts them. */
export interface Conspicuous {
  readonly auffaellige: 'mit' | 'ohne';
}

/** A day on which units count, as a row of region_tage has it. */
export interface CountedDay {
  readonly serie: string;
  readonly einheitTyp: string;
  /** As rows have it: null where no carriers of the register are asked for. */
  readonly registerEnergietraeger: string | null;
  readonly statusId: number | null;
  /** Null: it counts without a day. */
  readonly tag: string | null;
  /** Units. */
  readonly anzahl: number;
  /** Their gross capacity. */
  readonly kw: number;
  /** Their shares of the energy of their storage plants. */
  readonly kwh: number;
}

/**
 * The days that an answer counts, of each group of conspicuous units.
 * @param bounds days on which something begins or has ended for the answer: between two of them it takes all days for the same, and
 *   has the first; null = every day matters
 * @returns null for a version of an earlier release, which does not know them
 */
export async function conspicuousDays(
  question: RegionQuery & { readonly energietraeger: readonly string[] },
  counts: (day: CountedDay) => boolean,
  version: VersionReader,
  bounds: readonly string[] | null,
): Promise<readonly (readonly CountedDay[])[] | null> {
  if (!version.tables.has(CONSPICUOUS_UNITS)) return null;
  const { energietraeger, registerEnergietraeger, units: counted } = question;
  const statement = groupsStatement(regionOf(question), counted, version.dialects, bounds);
  // What one organisation alone asks about is not kept.
  const groups = await (counted === undefined ? version.kept(groupRow, statement) : version.query(groupRow, statement));
  return groups
    .filter(({ einheitTyp }) => energietraeger.includes(einheitTyp))
    .filter(({ registerEnergietraeger: named }) => registerEnergietraeger?.includes(named ?? '') ?? true)
    .map((group) => daysOf(group, registerEnergietraeger !== undefined).filter(counts))
    .filter((days) => days.length > 0);
}

/**
 * The days that an answer leaves out.
 * @throws Problem SERVICE_UNAVAILABLE for a version of an earlier release
 */
export function left(groups: readonly (readonly CountedDay[])[] | null): readonly CountedDay[] {
  if (groups !== null) return groups.flat();
  throw new Problem('SERVICE_UNAVAILABLE', 'The version that is served does not know which units are conspicuous', {
    retryAt: Date.now() + 600_000,
  });
}

/** The meta of an answer. */
export function conspicuousMeta(groups: readonly (readonly CountedDay[])[] | null) {
  if (groups === null) return { auffaellig: null };
  const firsts = groups.flatMap(([day]) => day ?? []);
  const count = firsts.reduce((sum, { anzahl }) => sum + anzahl, 0);
  const watts = firsts.reduce((sum, { kw }) => sum + Math.round(kw * 1000), 0);
  return { auffaellig: { count, bruttoleistungKw: watts / 1000 } };
}

function groupsStatement(
  region: Region | null,
  counted: RegionQuery['units'],
  { units, projections }: Dialects,
  bounds: readonly string[] | null,
): WarehouseStatement {
  const values = binder();
  const where = region === null ? '' : ` WHERE ${isInRegion(region, units, values)}`;
  const among = counted === undefined ? '' : ` AND ${isOneOfUnits(counted, projections, values)}`;
  // Nothing begins after the last day that can be written, whose next one is longer (nextDay).
  const firstDays = (bounds ?? [])
    .filter(({ length }) => length === FIRST_DAY.length)
    .toSorted()
    .reverse();
  const day = (column: string): string => {
    const exact = units.toJson('day', `units.${column}`);
    if (bounds === null) return exact;
    const cases = firstDays.map((first) => `WHEN units.${column} >= ${values.bind({ day: first })} THEN '${first}'`);
    return `CASE WHEN units.${column} IS NULL THEN NULL ${cases.join(' ')} ELSE '${FIRST_DAY}' END`;
  };
  const text = withPieces(SQL, {
    inbetriebnahme: day('inbetriebnahmedatum'),
    stilllegung: day('stilllegungsdatum'),
    planung: day('geplantesInbetriebnahmedatum'),
    where,
    among,
  });
  return { text, values: values.values };
}

function isInRegion(place: Region, units: Dialects['units'], values: Binder): string {
  const { ebene, region } = place;
  switch (ebene) {
    case 'bundesland':
      return `bundesland = ${values.bind(stateName(region))}`;
    case 'plz':
      return units.startsWith('plz', region, values);
    default:
      return placeCondition(place, ebene, 'regionen', units, values);
  }
}

/** The rows of region_tage in which units count, by the rules that the build has (sql/warehouse/duckdb/rollups-regions.sql). */
function daysOf(
  { inbetriebnahme, stilllegung, planung, registerEnergietraeger, ...group }: ConspicuousGroup,
  byRegister: boolean,
): CountedDay[] {
  const { statusId } = group;
  const named = byRegister ? registerEnergietraeger : null;
  const rows: CountedDay[] = [];
  const add = (serie: string, tag: string | null) => rows.push({ ...group, serie, registerEnergietraeger: named, tag });
  if (inbetriebnahme !== null || statusId === IN_OPERATION) add('inbetriebnahme', inbetriebnahme);
  if (stilllegung !== null) add('stilllegung', stilllegung);
  if (inbetriebnahme === null && (planung !== null || statusId === IN_PLANNING)) add('planung', planung);
  if (inbetriebnahme !== null && statusId === IN_PLANNING) add('planung_mit_inbetriebnahme', planung);
  return rows;
}

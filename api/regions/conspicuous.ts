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
 * The conspicuous units of a region. They are few and kept, so that an answer says how many of them it counts, or takes them out of
 * its sums, without reading the days of a region again.
 */

const SQL = sqlFile(import.meta.url, 'conspicuous.sql');

const unitRow = z.strictObject({
  einheitTyp: z.string(),
  statusId: z.number().nullable(),
  inbetriebnahme: z.string().nullable(),
  stilllegung: z.string().nullable(),
  planung: z.string().nullable(),
  kw: z.number(),
  kwh: z.number(),
  registerEnergietraeger: z.string().nullable(),
});

type ConspicuousUnit = z.infer<typeof unitRow>;

/** A question says whether its answer counts them. */
export interface Conspicuous {
  readonly auffaellige: 'mit' | 'ohne';
}

/** A day on which a unit counts, as a row of region_tage has it. */
export interface CountedDay {
  readonly serie: string;
  readonly einheitTyp: string;
  /** As rows have it: null where no carriers of the register are asked for. */
  readonly registerEnergietraeger: string | null;
  readonly statusId: number | null;
  /** Null: it counts without a day. */
  readonly tag: string | null;
  /** Gross capacity. */
  readonly kw: number;
  /** Its share of the energy of its storage plant. */
  readonly kwh: number;
}

/** The days of each conspicuous unit that an answer counts; null for a version of an earlier release, which does not know. */
export async function conspicuousDays(
  question: RegionQuery & { readonly energietraeger: readonly string[] },
  counts: (day: CountedDay) => boolean,
  version: VersionReader,
): Promise<readonly (readonly CountedDay[])[] | null> {
  if (!version.tables.has(CONSPICUOUS_UNITS)) return null;
  const { energietraeger, registerEnergietraeger, units: counted } = question;
  const statement = unitsStatement(regionOf(question), counted, version.dialects);
  // What one organisation alone asks about is not kept.
  const units = await (counted === undefined ? version.kept(unitRow, statement) : version.query(unitRow, statement));
  return units
    .filter((unit) => energietraeger.includes(unit.einheitTyp))
    .filter(({ registerEnergietraeger: named }) => registerEnergietraeger?.includes(named ?? '') ?? true)
    .map((unit) => daysOf(unit, registerEnergietraeger !== undefined).filter(counts))
    .filter((days) => days.length > 0);
}

/**
 * The days that an answer leaves out.
 * @throws Problem SERVICE_UNAVAILABLE for a version of an earlier release
 */
export function left(units: readonly (readonly CountedDay[])[] | null): readonly CountedDay[] {
  if (units !== null) return units.flat();
  throw new Problem('SERVICE_UNAVAILABLE', 'The version that is served does not know which units are conspicuous', {
    retryAt: Date.now() + 600_000,
  });
}

/** The meta of an answer. */
export function conspicuousMeta(units: readonly (readonly CountedDay[])[] | null) {
  if (units === null) return { auffaellig: null };
  const watts = units.reduce((sum, [day]) => sum + Math.round((day?.kw ?? 0) * 1000), 0);
  return { auffaellig: { count: units.length, bruttoleistungKw: watts / 1000 } };
}

function unitsStatement(
  region: Region | null,
  counted: RegionQuery['units'],
  { units, projections }: Dialects,
): WarehouseStatement {
  const values = binder();
  const where = region === null ? '' : ` WHERE ${isInRegion(region, units, values)}`;
  const among = counted === undefined ? '' : ` AND ${isOneOfUnits(counted, projections, values)}`;
  const day = (column: string) => units.toJson('day', `units.${column}`);
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

/** The rows of region_tage in which a unit counts, by the rules that the build has (sql/warehouse/duckdb/rollups-regions.sql). */
function daysOf(
  { einheitTyp, statusId, inbetriebnahme, stilllegung, planung, kw, kwh, registerEnergietraeger }: ConspicuousUnit,
  byRegister: boolean,
): CountedDay[] {
  const named = byRegister ? registerEnergietraeger : null;
  const rows: CountedDay[] = [];
  const add = (serie: string, tag: string | null) =>
    rows.push({ serie, einheitTyp, registerEnergietraeger: named, statusId, tag, kw, kwh });
  if (inbetriebnahme !== null || statusId === IN_OPERATION) add('inbetriebnahme', inbetriebnahme);
  if (stilllegung !== null) add('stilllegung', stilllegung);
  if (inbetriebnahme === null && (planung !== null || statusId === IN_PLANNING)) add('planung', planung);
  if (inbetriebnahme !== null && statusId === IN_PLANNING) add('planung_mit_inbetriebnahme', planung);
  return rows;
}

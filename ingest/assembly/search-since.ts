import { firstRow } from '../../sql/warehouse/first-row.ts';
import { openEarlierLists } from '../../sql/warehouse/search/earlier.ts';
import { GONE, type UnitsSince } from '../../sql/warehouse/search/merge-lists.ts';
import type { ReplacedUnits } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { indexIn } from './number-places.ts';

/** The texts of units where those of the version before are gone on from: only units whose rows are replaced have others. */

export interface SearchSince extends ReplacedUnits {
  /** The search index of the version before. */
  readonly before: string;
}

/** The table of the present texts of those units. */
export const PRESENT_TEXTS = 'present_texts';

/** Of more units than this it costs less to collect all texts. */
const MOST_SINCE = 500_000;

interface TextsSince extends UnitsSince {
  /** Finds the places of these units. */
  readonly placeOf: (number: number) => number;
}

/** Makes `suchtexte` that of the present rows. @returns null where all texts are to be collected, into an empty table */
export async function textsSince(
  warehouse: WarehouseConnection,
  { before, numbers, rows, former }: SearchSince,
  units: number,
): Promise<TextsSince | null> {
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${numbers}`));
  if (Number(n) > MOST_SINCE) {
    // Rows of a table that was only emptied would not be numbered from 0, by which they are read.
    await warehouse.run('CREATE OR REPLACE TABLE suchtexte AS FROM suchtexte LIMIT 0');
    return null;
  }
  for (const [texts, own, regions] of [
    ['former_texts', former, 'previous_version.regionen'],
    [PRESENT_TEXTS, rows, 'regionen'],
  ] as const) {
    await warehouse.run(`CREATE TABLE scratch.${texts} AS FROM suchtexte LIMIT 0`);
    await warehouse.run(warehouseSql('search.sql', { texts, units: own, regions, inSlice: 'true' }));
  }
  await warehouse.run(warehouseSql('night-texts.sql', { numbers }));
  const lost = new Set<string>();
  await warehouse.columns('SELECT DISTINCT gefaltet FROM former_texts', ([texts = []]) => {
    for (const text of texts as string[]) for (const word of text.split(' ')) lost.add(word);
  });
  const earlier = openEarlierLists(before);
  try {
    return { ...(await placesSince(warehouse, { numbers, rows }, units)), lost, earlier };
  } catch (error) {
    earlier.close();
    throw error;
  }
}

/** The places of units among all, now and in the version before. */
async function placesSince(
  warehouse: WarehouseConnection,
  { numbers, rows }: Pick<ReplacedUnits, 'numbers' | 'rows'>,
  units: number,
): Promise<Pick<TextsSince, 'places' | 'placeOf'>> {
  const digitsOf = async (table: string, take: (digits: number) => void, order = ''): Promise<void> => {
    await warehouse.columns(`SELECT (nummer & 1099511627775)::DOUBLE FROM ${table} ${order}`, ([column = []]) => {
      for (const digits of column as number[]) take(digits);
    });
  };
  const list: number[] = [];
  await digitsOf(numbers, (digits) => list.push(digits), 'ORDER BY 1');
  const replaced = Float64Array.from(list);
  /** The units between two that are replaced, and which of the latter were there, and are there. */
  const between = new Uint32Array(replaced.length + 1);
  const wasThere = new Uint8Array(replaced.length);
  const isThere = new Uint8Array(replaced.length);
  let unitsBefore = 0;
  // In the projection no rows are deleted, which the engine would keep in mind.
  await digitsOf('(SELECT mastrNummer AS nummer FROM previous_version.units_by_number)', (digits) => {
    const index = indexIn(replaced, digits);
    if (replaced[index] === digits) wasThere[index] = 1;
    else between[index] = (between[index] ?? 0) + 1;
    unitsBefore++;
  });
  await digitsOf(rows, (digits) => {
    isThere[indexIn(replaced, digits)] = 1;
  });
  const places = new Uint32Array(unitsBefore).fill(GONE);
  const ownPlaces = new Uint32Array(replaced.length);
  let [then, now] = [0, 0];
  for (let index = 0; index <= replaced.length; index++) {
    for (const end = then + (between[index] ?? 0); then < end; then++) places[then] = now++;
    then += wasThere[index] ?? 0;
    if (isThere[index] === 1) ownPlaces[index] = now++;
  }
  if (now !== units) throw new Error(`There are places for ${now} of ${units} units`);
  return { places, placeOf: (digits) => ownPlaces[indexIn(replaced, digits)] ?? 0 };
}

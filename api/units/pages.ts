import { z } from 'zod';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import {
  type CountedPageRequest,
  pageParts,
  pageStatement,
  type TurnedPart,
  turnedPart,
} from '../../sql/query/units.ts';
import type { VersionReader } from '../warehouse/version.ts';

/** Pages of units by statements, part by part. */

const unitRow = z.strictObject({ digits: z.number(), zeile: z.string().optional() });
const turnedRow = z.strictObject({ ...unitRow.shape, value: z.union([z.string(), z.number()]) });

/** A unit of a page: the twelve digits of its number, and its text where the page was read from a table that has it. */
export type FoundUnit = Pick<z.infer<typeof unitRow>, 'digits' | 'zeile'>;

/** Returns the units of a page, in order. */
export async function pageByStatements(
  { dialects, query }: Pick<VersionReader, 'dialects' | 'query'>,
  request: CountedPageRequest,
): Promise<FoundUnit[]> {
  const dialect = dialects.projections;
  const read = (statement: WarehouseStatement): Promise<FoundUnit[]> => query(unitRow, statement);
  const found: FoundUnit[] = [];
  for (const part of pageParts(request, dialect)) {
    const limit = request.limit - found.length;
    if (limit === 0) break;
    const asked = { ...part, limit };
    const turned = turnedPart(asked, dialect);
    found.push(
      ...(turned === null
        ? await read(pageStatement(asked, dialect))
        : await unitsOfTurned(turned, limit, await query(turnedRow, turned.turned), read)),
    );
  }
  return found;
}

/** Turns the units of each value. Where more units have the last value than were read, its first ones are read instead. */
async function unitsOfTurned(
  { ofValue }: TurnedPart,
  limit: number,
  rows: readonly z.infer<typeof turnedRow>[],
  read: (statement: WarehouseStatement) => Promise<FoundUnit[]>,
): Promise<FoundUnit[]> {
  const groups = Map.groupBy(rows, ({ value }) => value);
  const last = rows.at(-1)?.value;
  const isCut = rows.length === limit && last !== undefined;
  const whole = [...groups].filter(([value]) => !isCut || value !== last).flatMap(([, units]) => units.toReversed());
  return isCut ? [...whole, ...(await read(ofValue(last, limit - whole.length)))] : whole;
}

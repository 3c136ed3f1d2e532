import { z } from 'zod';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import {
  type CountedPageRequest,
  pageParts,
  pageStatement,
  type TurnedPart,
  turnedPart,
} from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import type { VersionReader } from '../warehouse/version.ts';

/** Pages of units by statements, part by part. */

const digitsRow = z.strictObject({ digits: z.number() });
const turnedRow = z.strictObject({ digits: z.number(), value: z.union([z.string(), z.number()]) });

/** Returns the MaStR numbers of the units of a page, in order. */
export async function pageByStatements(
  { dialects, query }: Pick<VersionReader, 'dialects' | 'query'>,
  request: CountedPageRequest,
): Promise<string[]> {
  const dialect = dialects.projections;
  const digitsOf = async (statement: WarehouseStatement): Promise<number[]> =>
    (await query(digitsRow, statement)).map(({ digits }) => digits);
  const found: number[] = [];
  for (const part of pageParts(request, dialect)) {
    const limit = request.limit - found.length;
    if (limit === 0) break;
    const asked = { ...part, limit };
    const turned = turnedPart(asked, dialect);
    found.push(
      ...(turned === null
        ? await digitsOf(pageStatement(asked, dialect))
        : await unitsOfTurned(turned, limit, await query(turnedRow, turned.turned), digitsOf)),
    );
  }
  return found.map(unitNumberOf);
}

/** Turns the units of each value. Where more units have the last value than were read, its first ones are read instead. */
async function unitsOfTurned(
  { ofValue }: TurnedPart,
  limit: number,
  rows: readonly z.infer<typeof turnedRow>[],
  digitsOf: (statement: WarehouseStatement) => Promise<number[]>,
): Promise<number[]> {
  const groups = Map.groupBy(rows, ({ value }) => value);
  const last = rows.at(-1)?.value;
  const isCut = rows.length === limit && last !== undefined;
  const whole = [...groups]
    .filter(([value]) => !isCut || value !== last)
    .flatMap(([, units]) => units.map(({ digits }) => digits).reverse());
  return isCut ? [...whole, ...(await digitsOf(ofValue(last, limit - whole.length)))] : whole;
}

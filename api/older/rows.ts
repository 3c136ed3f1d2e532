import { addOlderRows, olderRowsRow, olderRowsStatement } from '../../sql/org/older-rows.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mustHaveTier } from './variant.ts';

/** The rows of the month: the number of units that an organisation may read by the older variant. */

/** Reads how many rows the organisation has read in the running month, and when that ends. */
export async function rowsOfMonth({ caller, records }: Pick<Call, 'caller' | 'records'>) {
  const { id } = caller.organisation;
  const month = await records((session) => session.row(olderRowsRow, olderRowsStatement(id)));
  if (month === null) throw new Error(`The store gave no month for the organisation ${id}`);
  return month;
}

/**
 * Reads units, and counts them. A page may begin while rows of the month are left, and is then read whole.
 * @throws Problem RATE_LIMIT_EXCEEDED when the month has no rows left
 */
export async function countingRows<Unit>(
  call: Pick<Call, 'caller' | 'records'>,
  read: () => Promise<Unit[]>,
): Promise<Unit[]> {
  const { rows: limit } = mustHaveTier(call.caller);
  const { used, end } = await rowsOfMonth(call);
  if (used >= limit) {
    const detail = `The organisation has read its ${limit} rows of this month`;
    throw new Problem('RATE_LIMIT_EXCEEDED', detail, { retryAt: Date.parse(end) });
  }
  const units = await read();
  if (units.length > 0) {
    await call.records((session) => session.run(addOlderRows(call.caller.organisation.id, units.length)));
  }
  return units;
}

import { addOlderRows, olderRowsRow, olderRowsStatement } from '../../sql/org/older-rows.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mustHaveTier } from './variant.ts';

/** The rows of the month: how many units an organisation may read by the older variant. */

/** Where the running month stands. */
export const rowsOfMonth = async ({ caller, records }: Pick<Call, 'caller' | 'records'>) =>
  (await records((session) => session.row(olderRowsRow, olderRowsStatement(caller.organisation.id))))!;

/**
 * Reads units, and counts them. What is left of the month decides whether a page may begin; the last one comes whole.
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

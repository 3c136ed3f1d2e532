import { type Month, monthRow, monthStatement } from '../../sql/org/calls.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Reads the calls that an organisation has made in the running month, as the store has them. */
export async function readMonth(store: Pick<OrgStore, 'autocommit'>, organisationId: string): Promise<Month> {
  const [month] = await store.autocommit(monthRow, monthStatement(organisationId));
  if (month === undefined) throw new Error(`The store gave no month for the organisation ${organisationId}`);
  return month;
}

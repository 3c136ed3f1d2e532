import { z } from 'zod';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { DISABLED_REASONS } from '../../sql/org/webhooks/endpoints.ts';

/** The counts of the store of the organisations that gauges show. */
export interface OrganisationCounts {
  /** Disabled webhook endpoints by reason, in lower case. */
  readonly disabledEndpoints: Readonly<Record<string, number>>;
  readonly faultyAlerts: number;
}

const countRow = z.strictObject({ what: z.string(), count: z.int() });

const FAULTY = 'faulty';

const counts: StoreStatement = sql`
  SELECT lower(disabled_reason) AS what, count(*) AS count FROM webhook_endpoints WHERE disabled GROUP BY disabled_reason
  UNION ALL
  SELECT ${FAULTY}, count(*) FROM alerts WHERE enabled AND fault IS NOT NULL`;

export async function organisationCounts(store: Pick<OrgStore, 'autocommit'>): Promise<OrganisationCounts> {
  const rows = await store.autocommit(countRow, counts);
  const counted = (name: string) => rows.find(({ what }) => what === name)?.count ?? 0;
  const reasons = DISABLED_REASONS.map((reason) => reason.toLowerCase());
  return {
    disabledEndpoints: Object.fromEntries(reasons.map((reason) => [reason, counted(reason)])),
    faultyAlerts: counted(FAULTY),
  };
}

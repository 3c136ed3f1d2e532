import { randomUUIDv7 } from 'node:crypto';
import { withoutKeys } from '../../sql/org/api-key.ts';
import type { NewAuditRow } from '../../sql/org/audit.ts';
import { cleanQuery, queryHash } from '../audit/query-text.ts';
import type { Service } from '../service.ts';
import { identify } from './authenticate.ts';
import type { Exchange, Step } from './step.ts';

/**
 * Records every call that was authenticated, and every one that was refused because it could not be. Reads are written
 * soon; a mutation that succeeded has its row already, in the transaction of its change (write.ts), and one that did
 * not is recorded before its answer.
 */
export const audit =
  (service: Service): Step =>
  async (exchange, next) => {
    exchange.state.began = performance.now();
    await next();
    if (exchange.state.recorded === true || !(await concernsSomebody(exchange, service))) return;
    const row = auditRowOf(exchange);
    if (exchange.state.operation?.cost === 'mutation') await service.audit.now(row);
    else service.audit.soon(row);
  };

/** Whether there is a caller, or one was refused. A call that failed before its key was looked at is looked at now. */
async function concernsSomebody(exchange: Exchange, service: Service): Promise<boolean> {
  if (exchange.method === 'OPTIONS') return false;
  const { operation, identity } = exchange.state;
  if (identity !== undefined || exchange.status === 401) return true;
  if (operation !== undefined) return false;
  // A wrong key on a wrong path tells nothing that is worth a row of its own.
  exchange.state.identity = (await identify(exchange, service).catch(() => null)) ?? undefined;
  return exchange.state.identity?.caller != null;
}

/** The row of a call, as far as it has come. */
export function auditRowOf(exchange: Exchange): NewAuditRow {
  const { identity, requestId, began, rowCount } = exchange.state;
  const failed = exchange.status >= 400;
  return {
    id: randomUUIDv7(),
    organisationId: identity?.organisationId ?? null,
    answeredAt: new Date().toISOString(),
    method: exchange.method,
    path: withoutKeys(exchange.path).slice(0, 1_000),
    status: exchange.status,
    durationMs: Math.round(performance.now() - began),
    rowCount: failed ? null : (rowCount ?? null),
    requestId,
    keyId: identity?.keyId ?? null,
    keyPrefix: identity?.prefix ?? null,
    query: failed ? cleanQuery(exchange.querystring) : null,
    queryHash: queryHash(exchange.querystring),
  };
}

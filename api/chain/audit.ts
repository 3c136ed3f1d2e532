import { randomUUIDv7 } from 'node:crypto';
import type { NewAuditRow } from '../../sql/org/audit.ts';
import { onceAMinute } from '../access/once-a-minute.ts';
import { queryHash, redactPath, redactQuery } from '../audit/redact.ts';
import type { Service } from '../operation/service.ts';
import { identify } from './authenticate.ts';
import type { Context, Middleware } from './context.ts';

/**
 * Records every call that was authenticated, and of those that were refused because they could not be the first of each
 * minute: of a prefix that belongs to an organisation, or of an address. The others are counted (metrics.ts). Reads are written
 * soon; a mutation that succeeded has its row already, in the transaction of its change (write.ts), and one that did
 * not is recorded before its answer.
 */
export const audit = (service: Service): Middleware => {
  const isFirstOfPrefix = onceAMinute();
  const isFirstOfAddress = onceAMinute();
  /** Strangers cannot fill a log with calls, least of all that of an organisation whose prefix they know. */
  const isWorthARow = ({ req, state: { identity } }: Context): boolean =>
    identity?.organisationId == null ? isFirstOfAddress(service.addressOf(req)) : isFirstOfPrefix(identity.prefix);

  return async (context, next) => {
    context.state.began = performance.now();
    await next();
    if (context.state.recorded === true || !(await concernsSomebody(context, service))) return;
    if (context.status === 401 && !isWorthARow(context)) return;
    const row = auditRowOf(context);
    if (context.state.operation?.cost === 'mutation') await service.audit.now(row);
    else service.audit.soon(row);
  };
};

/** Whether there is a caller, or one was refused. A call that failed before its key was looked at is looked at now. */
async function concernsSomebody(context: Context, service: Service): Promise<boolean> {
  if (context.method === 'OPTIONS') return false;
  const { operation, identity } = context.state;
  if (identity !== undefined || context.status === 401) return true;
  if (operation !== undefined) return false;
  // A wrong key on a wrong path tells nothing that is worth a row of its own.
  context.state.identity = (await identify(context, service).catch(() => null)) ?? undefined;
  return context.state.identity?.caller != null;
}

/** The row of a call, as far as it has come. */
export function auditRowOf(context: Context): NewAuditRow {
  const { method, path, status, querystring } = context;
  const { identity, requestId, began, rowCount } = context.state;
  return {
    id: randomUUIDv7(),
    organisationId: identity?.organisationId ?? null,
    answeredAt: new Date().toISOString(),
    method,
    path: redactPath(path),
    status,
    durationMs: Math.round(performance.now() - began),
    rowCount: status < 300 ? (rowCount ?? null) : null,
    requestId,
    keyId: identity?.keyId ?? null,
    keyPrefix: identity?.prefix ?? null,
    query: status >= 400 ? redactQuery(querystring) : null,
    queryHash: queryHash(querystring),
  };
}

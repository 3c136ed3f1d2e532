import { randomUUIDv7 } from 'node:crypto';
import { withoutSecrets } from '../../sql/org/api-key.ts';
import type { NewAuditRow } from '../../sql/org/audit.ts';
import { onceAMinute } from '../access/once-a-minute.ts';
import { queryHash, redactPath, redactQuery, withoutValues } from '../audit/redact.ts';
import { queryOf } from '../operation/inputs.ts';
import type { Service } from '../operation/service.ts';
import { identify } from './caller.ts';
import type { Context } from './context.ts';
import type { FrameStep } from './step.ts';

/** Counts the request and its time, under the id of its operation. */
export const measure: FrameStep = {
  name: 'metrics',
  problems: [],
  open:
    ({ metrics }) =>
    async (context, next) => {
      const answered = metrics.requestArrived();
      try {
        await next();
      } finally {
        answered(context.state.operation?.id ?? null, context.status);
      }
    },
};

/** Writes one line per request. The query is left out: it may contain names. */
export const accessLog: FrameStep = {
  name: 'access log',
  problems: [],
  open:
    ({ log }) =>
    async (context, next) => {
      await next();
      const { requestId, began, operation, caller, trace } = context.state;
      const foreignId = withoutSecrets(context.get('X-Request-Id')) || undefined;
      log.info(
        {
          requestId,
          method: context.method,
          path: redactPath(context.path),
          status: context.status,
          ms: Math.round((performance.now() - began) * 10) / 10,
          // Absent for an unknown path, and for a key that is refused.
          operation: operation?.id,
          key: caller?.key.prefix,
          foreignId,
          traceId: trace?.traceId,
          parentId: trace?.parentId,
        },
        'request',
      );
    },
};

/**
 * Tells callers with a key where the time of their call went (Server-Timing, W3C): what the engine took, and all of it until
 * the answer was ready to be sent. Others learn nothing, since the time of a refused call could tell why it was refused.
 */
export const serverTiming: FrameStep = {
  name: 'server timing',
  problems: [],
  open: () => async (context, next) => {
    await next();
    const { caller, began, engine } = context.state;
    if (caller === undefined) return;
    const parts = [
      ...(engine === undefined ? [] : [duration('engine', engine.ms)]),
      duration('total', performance.now() - began),
    ];
    context.set('Server-Timing', parts.join(', '));
  },
};

const duration = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`;

/**
 * Records every authenticated call, and of the calls with a bad key or none the first of each minute: per prefix where
 * the prefix belongs to an organisation, else per address. The others are only counted (metrics.ts). Reads are written
 * soon after their answer; a mutation that succeeded has its row already, in the transaction of its change (write.ts),
 * and one that failed is recorded before its answer.
 */
export const audit: FrameStep = {
  name: 'audit',
  problems: [],
  open(service) {
    const isFirstOfPrefix = onceAMinute();
    const isFirstOfAddress = onceAMinute();
    /**
     * Callers without a key must not fill the log with rows, least of all that of an organisation whose prefix they
     * know.
     */
    const isWorthARow = ({ req, state: { identity } }: Context): boolean =>
      identity?.organisationId == null ? isFirstOfAddress(service.addressOf(req)) : isFirstOfPrefix(identity.prefix);

    return async (context, next) => {
      await next();
      if (context.state.recorded === true || !(await isAttempt(context, service))) return;
      if (context.status === 401 && !isWorthARow(context)) return;
      const row = auditRowOf(context);
      if (context.state.operation?.cost === 'mutation') await service.audit.now(row);
      else service.audit.soon(row);
    };
  },
};

/**
 * Returns true when there is a caller, or one was refused. The key of a request that failed before it was authenticated
 * is looked up here.
 */
async function isAttempt(context: Context, service: Service): Promise<boolean> {
  if (context.method === 'OPTIONS') return false;
  const { operation, identity } = context.state;
  if (identity !== undefined || context.status === 401) return true;
  if (operation !== undefined) return false;
  // A wrong key on a wrong path is not worth a row.
  const found = await identify(context, service, 'any header').catch(() => null);
  if (found !== null) context.state.identity = found;
  return found?.caller != null;
}

/** The row of a call, with as much as is known of it. */
export function auditRowOf(context: Context): NewAuditRow {
  const { method, path, status } = context;
  const querystring = recordedQuery(context);
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

/** The query without what may name people. */
function recordedQuery({ path, querystring, state: { operation } }: Context): string {
  if (operation?.personalQuery === true) return withoutValues(querystring, Object.keys(queryOf(operation).shape));
  return operation === undefined && NAMES_PEOPLE.test(path) ? withoutValues(querystring, []) : querystring;
}

/** Addresses that are none of ours, but were meant to be one whose query may name people. */
const NAMES_PEOPLE = /contact|kontakt/i;

import type { Logger } from '../../runtime/log.ts';
import { withoutKeys } from '../../sql/org/api-key.ts';
import { redactPath } from '../audit/redact.ts';
import type { Middleware } from './context.ts';

/** One line per request. The query is left out: it may carry names. */
export const accessLog =
  (log: Logger): Middleware =>
  async (context, next) => {
    const began = performance.now();
    await next();
    const { requestId, operation, caller } = context.state;
    const foreignId = withoutKeys(context.get('X-Request-Id')) || undefined;
    log.info(
      {
        requestId,
        method: context.method,
        path: redactPath(context.path),
        status: context.status,
        ms: Math.round((performance.now() - began) * 10) / 10,
        // Absent for a path that leads nowhere, and for a key that opens nothing.
        operation: operation?.id,
        key: caller?.key.prefix,
        foreignId,
      },
      'request',
    );
  };

import type { Logger } from '../../sql/log.ts';
import { withoutKeys } from '../../sql/org/api-key.ts';
import { cleanPath } from '../audit/cleaned.ts';
import type { Step } from './step.ts';

/** One line per request. The query is left out: it may carry names. */
export const accessLog =
  (log: Logger): Step =>
  async (exchange, next) => {
    const began = performance.now();
    await next();
    const { requestId, operation, caller } = exchange.state;
    const foreignId = withoutKeys(exchange.get('X-Request-Id')) || undefined;
    log.info(
      {
        requestId,
        method: exchange.method,
        path: cleanPath(exchange.path),
        status: exchange.status,
        ms: Math.round((performance.now() - began) * 10) / 10,
        // Absent for a path that leads nowhere, and for a key that opens nothing.
        operation: operation?.id,
        key: caller?.key.prefix,
        foreignId,
      },
      'request',
    );
  };

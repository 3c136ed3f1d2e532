import { withoutSecrets } from '../../sql/org/without-secrets.ts';
import { redactPath } from '../audit/redact.ts';
import type { FrameStep } from './step.ts';

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

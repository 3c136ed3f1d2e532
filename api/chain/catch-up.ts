import type { RegisterListOperation } from '../operation/kinds.ts';
import type { Call } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { versionsRead } from '../wire/cursor.ts';
import type { CallerState } from './context.ts';
import type { Step } from './step.ts';

const RETRY_MILLISECONDS = 5_000;

/**
 * Opens the newest version before a cursor or a sync token is followed that another process has given from it: all
 * processes of a service find a publication by themselves, one a moment before the other.
 */
export const catchUp: Step<RegisterListOperation, CallerState & { call: Call }> = {
  name: 'catch up',
  problems: () => ['DATASET_NOT_READY'],
  open:
    ({ cursors, syncTokens, warehouse }) =>
    () =>
    async (context, next) => {
      const { query, body } = context.state.call;
      const { cursor, syncToken } = { ...query, ...Object(body) } as { cursor?: unknown; syncToken?: unknown };
      const position = typeof cursor === 'string' ? cursors.verify(cursor) : null;
      const state = typeof syncToken === 'string' ? syncTokens.verify(syncToken) : null;
      const versions = [...(position === null ? [] : versionsRead(position)), ...(state?.versions ?? [])];
      const isBehind = () => {
        const known = new Set(warehouse.publications().map(({ version }) => version));
        return versions.some((version) => !known.has(version));
      };
      if (versions.length > 0 && isBehind()) {
        await warehouse.catchUp();
        if (isBehind() && !warehouse.upToDate()) {
          const retryAt = Date.now() + RETRY_MILLISECONDS;
          throw new Problem('DATASET_NOT_READY', 'The dataset version that was read before is not open yet', {
            retryAt,
          });
        }
      }
      await next();
    },
};

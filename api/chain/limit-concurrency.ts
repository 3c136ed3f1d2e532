import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { PublicOperation } from '../operation/operation.ts';
import type { Step } from './step.ts';

/** Assets that are sent in one turn of the event loop. */
const MAX_CONCURRENCY = 2;

/**
 * Lets all assets together be answered a few in each turn of the event loop. However many callers ask for them, a question
 * to the register waits for a few of them, never for all.
 */
export const limitConcurrency: Step<PublicOperation> = {
  name: 'limit concurrency',
  problems: () => [],
  open() {
    const limit = pLimit(MAX_CONCURRENCY);
    return () => (_, next) =>
      limit(async () => {
        await next();
        await nextTurn();
      });
  },
};

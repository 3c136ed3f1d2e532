import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Middleware } from './context.ts';

/** Files that go out in one turn of the event loop. */
const FILES_IN_A_TURN = 2;

/**
 * Lets the files that everybody may have go out a few in each turn of the event loop. However many ask for them, a
 * question of the register waits behind a few of them, never behind all.
 */
export function limitConcurrency(): Middleware {
  const limit = pLimit(FILES_IN_A_TURN);
  return (context, next) => {
    const { operation } = context.state;
    if (operation?.source !== 'release' || operation.access !== 'public') return next();
    return limit(async () => {
      await next();
      await nextTurn();
    });
  };
}

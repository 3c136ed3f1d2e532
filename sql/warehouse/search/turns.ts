import { setImmediate as othersTurn } from 'node:timers/promises';

/** Milliseconds of a search after which other work gets its turn. */
const TURN_MS = 2;

/** Returns a function that lets other work have its turn when a search has taken long enough. */
export function turns(): () => Promise<void> | null {
  let began = performance.now();
  return () => {
    if (performance.now() - began < TURN_MS) return null;
    return othersTurn().then(() => {
      began = performance.now();
    });
  };
}

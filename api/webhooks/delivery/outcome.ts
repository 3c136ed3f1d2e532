import type { EndpointHealth } from '../../../sql/org/webhooks/endpoint-health.ts';
import { retryDelay, SCHEDULE } from './schedule.ts';
import type { SendResult } from './send.ts';

/** Derives from a single attempt what follows for the delivery and for the endpoint. */

/** Returns true for a status of 2xx. A redirect is not followed, so it is a failure. */
const succeeded = (result: SendResult): boolean => 'status' in result && result.status >= 200 && result.status < 300;

const saysGone = (result: SendResult): boolean => 'status' in result && result.status === 410;

/** The state of a delivery after an attempt; `delayMs` is the wait until the next one. */
export type Outcome =
  | { readonly state: 'DELIVERED' | 'FAILED'; readonly delayMs: null }
  | { readonly state: 'PENDING'; readonly delayMs: number };

/**
 * @param attempts of the delivery since it was created or replayed, with this one
 * @param random a number from 0 to 1
 */
export function outcomeOf(result: SendResult, attempts: number, random: number, schedule = SCHEDULE): Outcome {
  if (succeeded(result)) return { state: 'DELIVERED', delayMs: null };
  const retryAfterMs = 'status' in result ? result.retryAfterMs : null;
  const delayMs = saysGone(result) ? null : retryDelay({ attempts, retryAfterMs }, random, schedule);
  return delayMs === null ? { state: 'FAILED', delayMs } : { state: 'PENDING', delayMs };
}

/** Sums up by endpoint what attempts say about it. The attempts are given in the order in which they ended. */
export function healthOf(
  attempts: readonly { readonly endpointId: string; readonly result: SendResult }[],
): EndpointHealth[] {
  const said = new Map<string, EndpointHealth>();
  for (const { endpointId, result } of attempts) {
    const before = said.get(endpointId);
    const success = succeeded(result);
    said.set(endpointId, {
      endpointId,
      succeeded: success || before?.succeeded === true,
      failing: !success,
      gone: saysGone(result) || before?.gone === true,
    });
  }
  return [...said.values()];
}

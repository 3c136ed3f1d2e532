import { LIMITED_CLASSES, type LimitedClass, WINDOW_SECONDS } from '../../sql/org/limits.ts';
import type { Caller } from '../access/caller.ts';
import type { Place, Wish } from '../access/counter.ts';
import { windowOf } from '../older/variant.ts';
import type { Operation } from '../operation.ts';
import { Problem } from '../problem/problem.ts';
import type { Service } from '../service.ts';
import type { Exchange, Step } from './step.ts';

/**
 * Counts the call against the window of its cost class, and if that has room against the month's quota: one statement
 * for both, so that what the one refuses the other never counts.
 */
export const limits =
  (service: Service): Step =>
  async (exchange, next) => {
    const { operation, caller } = exchange.state;
    if (caller === undefined || operation === undefined) return next();
    const place = await service.counter.take(wish(operation, caller, 1));
    announce(exchange, windowFor(operation, caller).name, place);
    if (!place.granted) await refuse(place, windowFor(operation, caller).name, caller, service);
    await next();
  };

/** Every authenticated answer tells where the window stands, also one that was refused before its call counted. */
export const limitHeaders =
  (service: Service): Step =>
  async (exchange, next) => {
    try {
      await next();
    } catch (error) {
      const { operation, caller } = exchange.state;
      const isMissing = operation !== undefined && isLimited(operation.cost) && !exchange.res.hasHeader('RateLimit');
      if (caller !== undefined && isMissing) {
        await service.counter.take(wish(operation, caller, 0)).then(
          (place) => announce(exchange, windowFor(operation, caller).name, place),
          () => {},
        );
      }
      throw error;
    }
  };

const isLimited = (cost: Operation['cost']): cost is LimitedClass => LIMITED_CLASSES.includes(cost as LimitedClass);

function wish(operation: Operation, caller: Caller, amount: 0 | 1): Wish {
  const { key, organisation } = caller;
  const { name, most } = windowFor(operation, caller);
  const quota = operation.metered === false ? null : organisation.quota;
  return { organisationId: organisation.id, keyId: key.id, costClass: name, most, quota, amount };
}

/** The window that a call counts in: that of its cost class, or the one of the older variant. */
function windowFor(
  { cost, older }: Operation,
  caller: Caller,
): { readonly name: string; readonly most: number | null } {
  if (older === true) return windowOf(caller);
  return { name: cost, most: isLimited(cost) ? caller.organisation.limits[cost] : null };
}

/** Draft 10 of "RateLimit header fields for HTTP": the policy, and what is left of it for how many seconds. */
function announce(exchange: Exchange, name: string, { window }: Place): void {
  if (window === null) return;
  exchange.set('RateLimit-Policy', `"${name}";q=${window.limit};w=${WINDOW_SECONDS}`);
  exchange.set('RateLimit', `"${name}";r=${window.remaining};t=${secondsUntil(window.endsAt)}`);
}

/** Whole seconds, never zero: the window is over when they are. */
const secondsUntil = (time: number): number =>
  Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((time - Date.now()) / 1000)));

async function refuse({ window }: Place, name: string, caller: Caller, service: Service): Promise<never> {
  if (window !== null && !window.hadRoom) {
    const detail = `The key has made its ${window.limit} ${name} calls of this minute`;
    throw new Problem('RATE_LIMITED', detail, { retryAt: window.endsAt });
  }
  const { quota, id } = caller.organisation;
  const { end } = await service.counter.month(id);
  const detail = `The organisation has made its ${quota} calls of this month`;
  throw new Problem('QUOTA_EXCEEDED', detail, { retryAt: Date.parse(end) });
}

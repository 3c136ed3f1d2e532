import { LIMITED_CLASSES, type LimitedClass, WINDOW_SECONDS } from '../../sql/org/limits.ts';
import type { Caller } from '../access/caller.ts';
import type { RateLimitDecision, RateLimitRequest } from '../access/rate-limiter.ts';
import { windowOf } from '../older/variant.ts';
import type { Operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { Problem } from '../problem/problem.ts';
import type { Context, Middleware } from './context.ts';

/**
 * Counts the call against the window of its cost class, and if that has room against the month's quota: one statement
 * for both, so that what the one refuses the other never counts.
 */
export const limits =
  (service: Service): Middleware =>
  async (context, next) => {
    const { operation, caller } = context.state;
    if (caller === undefined || operation === undefined) return next();
    const place = await service.rateLimiter.take(request(operation, caller, 1));
    announce(context, windowFor(operation, caller).name, place);
    if (!place.granted) await refuse(place, windowFor(operation, caller).name, caller, service);
    await next();
  };

/** Every authenticated answer tells where the window stands, also one that was refused before its call counted. */
export const limitHeaders =
  (service: Service): Middleware =>
  async (context, next) => {
    try {
      await next();
    } catch (error) {
      const { operation, caller } = context.state;
      const isMissing = operation !== undefined && isLimited(operation.cost) && !context.res.hasHeader('RateLimit');
      if (caller !== undefined && isMissing) {
        await service.rateLimiter.take(request(operation, caller, 0)).then(
          (place) => announce(context, windowFor(operation, caller).name, place),
          () => {},
        );
      }
      throw error;
    }
  };

const isLimited = (cost: Operation['cost']): cost is LimitedClass => LIMITED_CLASSES.includes(cost as LimitedClass);

function request(operation: Operation, caller: Caller, amount: 0 | 1): RateLimitRequest {
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
function announce(context: Context, name: string, { window }: RateLimitDecision): void {
  if (window === null) return;
  context.set('RateLimit-Policy', `"${name}";q=${window.limit};w=${WINDOW_SECONDS}`);
  context.set('RateLimit', `"${name}";r=${window.remaining};t=${secondsUntil(window.endsAt)}`);
}

/** Whole seconds, never zero: the window is over when they are. */
const secondsUntil = (time: number): number =>
  Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((time - Date.now()) / 1000)));

async function refuse({ window }: RateLimitDecision, name: string, caller: Caller, service: Service): Promise<never> {
  if (window !== null && !window.hadRoom) {
    const detail = `The key has made its ${window.limit} ${name} calls of this minute`;
    throw new Problem('RATE_LIMITED', detail, { retryAt: window.endsAt });
  }
  const { quota, id } = caller.organisation;
  const { end } = await service.rateLimiter.month(id);
  const detail = `The organisation has made its ${quota} calls of this month`;
  throw new Problem('QUOTA_EXCEEDED', detail, { retryAt: Date.parse(end) });
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { WINDOW_SECONDS } from '../../sql/org/callers.ts';
import type { Caller } from '../access/caller.ts';
import type { RateLimitDecision, RateLimiter, RateLimitRequest } from '../access/rate-limiter.ts';
import type { SessionBudget } from '../access/session-budgets.ts';
import { windowOf } from '../older/variant.ts';
import { isLimited, type LimitedOperation } from '../operation/kinds.ts';
import type { KeyOperation, PublicOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import type { CallerState, Context } from './context.ts';
import type { Step } from './step.ts';

/**
 * Counts the call against the window of its cost class, and if that has room against the month's quota: one statement
 * for both, so that a call which the window refuses never counts against the quota.
 */
export const countCall: Step<KeyOperation, CallerState> = {
  name: 'count call',
  problems: ({ metered }) => (metered === false ? ['RATE_LIMITED'] : ['RATE_LIMITED', 'QUOTA_EXCEEDED']),
  open:
    ({ rateLimiter, sessionBudgets }) =>
    (operation) => {
      const requestOf = requestsOf(operation);
      const byCost = isByCost(operation);
      return async (context, next) => {
        const { caller } = context.state;
        // Links and visitors have limits of their own, which never take from those of an organisation.
        if (isWithoutKey(caller)) return next();
        const inSession = byCost && caller.session === true;
        const calls = operation.callsOf?.(new URLSearchParams(context.querystring)) ?? 1;
        const one = requestOf(caller, calls);
        // One that counts as more than a whole window would never be answered.
        const request = inSession ? { ...one, most: null } : { ...one, amount: Math.min(calls, one.most ?? calls) };
        const decision = await rateLimiter.take(request);
        setHeaders(context, request, decision);
        if (!decision.granted) await refuse(request, decision, caller, rateLimiter);
        if (!inSession) return next();
        const answer = async (): Promise<void> => {
          // A kept answer needs no room; reuse-answer.ts asks for room once it finds none.
          if (operation.reusable === undefined) sessionBudgets.mustHaveRoom(caller);
          await next();
        };
        await sessionBudgets.spend(caller, answer, () => context.state.engine?.ms ?? 0);
        setSessionHeaders(context, sessionBudgets.left(caller));
      };
    },
};

/** Says on every authenticated answer how much of the window is left, also on one that was refused before its call counted. */
export const limitHeaders: Step<LimitedOperation, CallerState> = {
  name: 'limit headers',
  problems: () => [],
  open:
    ({ rateLimiter, sessionBudgets }) =>
    (operation) => {
      const requestOf = requestsOf(operation);
      const byCost = isByCost(operation);
      return async (context, next) => {
        try {
          await next();
        } catch (error) {
          const { caller } = context.state;
          if (byCost && caller.session === true) setSessionHeaders(context, sessionBudgets.left(caller));
          else if (!context.res.hasHeader('RateLimit') && !isWithoutKey(caller)) {
            const request = requestOf(caller, 0);
            await rateLimiter.take(request).then(
              (decision) => setHeaders(context, request, decision),
              () => {},
            );
          }
          throw error;
        }
      };
    },
};

const isWithoutKey = ({ share, visitor }: Caller): boolean => share !== undefined || visitor !== undefined;

/** Questions of the pages count by what they cost; what changes something counts as it does for whoever sends a key. */
const isByCost = ({ cost, older }: KeyOperation): boolean =>
  older !== true && (cost === 'standard' || cost === 'expensive');

function setSessionHeaders(context: Context, { limit, left, seconds }: SessionBudget): void {
  context.set('RateLimit-Policy', `"session";q=${limit};w=${WINDOW_SECONDS}`);
  context.set('RateLimit', `"session";r=${left};t=${seconds}`);
}

type RequestOf = (caller: Caller, amount: number) => RateLimitRequest;

/** Calls count in the window of their cost class, or in the one of the older variant. */
function requestsOf(operation: KeyOperation): RequestOf {
  const limitOf = limitsOf(operation);
  return (caller, amount) => {
    const { key, organisation } = caller;
    const { name, most } = limitOf(caller);
    const quota = operation.metered === false ? null : organisation.quota;
    return { organisationId: organisation.id, keyId: key.id, costClass: name, most, quota, amount };
  };
}

function limitsOf(
  operation: KeyOperation,
): (caller: Caller) => { readonly name: string; readonly most: number | null } {
  if (operation.older === true) return windowOf;
  if (!isLimited(operation)) return () => ({ name: operation.cost, most: null });
  const { cost } = operation;
  return ({ organisation }) => ({ name: cost, most: organisation.limits[cost] });
}

/** Draft 10 of "RateLimit header fields for HTTP": the policy, and what is left of it for how many seconds. */
function setHeaders(context: Context, { costClass }: RateLimitRequest, { window }: RateLimitDecision): void {
  if (window === null) return;
  context.set('RateLimit-Policy', `"${costClass}";q=${window.limit};w=${WINDOW_SECONDS}`);
  context.set('RateLimit', `"${costClass}";r=${window.remaining};t=${secondsUntil(window.endsAt)}`);
}

/** Whole seconds, never zero: the window is over when they are. */
const secondsUntil = (time: number): number =>
  Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil((time - Date.now()) / 1000)));

async function refuse(
  { amount, costClass }: RateLimitRequest,
  { window }: RateLimitDecision,
  { organisation: { id, quota } }: Caller,
  rateLimiter: RateLimiter,
): Promise<never> {
  if (window !== null && !window.hadRoom) {
    const detail =
      amount === 1
        ? `The key has made its ${window.limit} ${costClass} calls of this minute`
        : `This call counts as ${amount} of the ${window.limit} ${costClass} calls that the key has a minute, and fewer are left`;
    throw new Problem('RATE_LIMITED', detail, { retryAt: window.endsAt });
  }
  const { end } = await rateLimiter.month(id);
  const detail = `The organisation has made its ${quota} calls of this month`;
  throw new Problem('QUOTA_EXCEEDED', detail, { retryAt: Date.parse(end) });
}

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

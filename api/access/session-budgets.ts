import pLimit, { type LimitFunction } from 'p-limit';
import { DEFAULT_LIMITS } from '../../sql/org/callers.ts';
import { Problem } from '../problem/problem.ts';
import { steadyShares } from './auth-failure-limiter.ts';
import type { Caller } from './caller.ts';

/**
 * The budgets of what the pages under /app ask in a session. People open many views in a minute, most of which cost little or were
 * answered before: their requests are not counted by class but by the time that the engine takes for them. A script in a
 * session has no more than that, and not more than a few questions at a time, so it makes nobody else wait.
 */
export interface SessionBudgets {
  /**
   * Does the work of a request when it is its turn.
   * @param cost returns the milliseconds that the engine has taken for it, once it is done or has failed
   * @throws Problem RATE_LIMITED when the pages send far more with a key than people can ask
   */
  spend(caller: Caller, work: () => Promise<void>, cost: () => number): Promise<void>;
  /** @throws Problem RATE_LIMITED when the engine has worked enough for the key, and this answer is not kept */
  mustHaveRoom(caller: Caller): void;
  left(caller: Caller): SessionBudget;
}

/** Milliseconds of the engine. */
export interface SessionBudget {
  readonly limit: number;
  readonly left: number;
  /** Seconds until all of it is there again. */
  readonly seconds: number;
}

/** Questions of one key that are worked on at a time; a page sends four. */
const AT_A_TIME = 6;

/** Further ones wait for their turn, so many at most. */
const MOST_WAITING = 200;

/** Requests in a minute, however little they cost: each takes some of the one thread that answers everybody. */
const REQUESTS_PER_MINUTE = 1200;

/** An organisation with other limits than the default has as much more, or less, in its sessions. */
const shareOf = ({ organisation: { limits } }: Caller): number => limits.expensive / DEFAULT_LIMITS.expensive;

/** @param perMinute milliseconds of the engine that a key has, in this process; what was used comes back steadily */
export function sessionBudgets(perMinute: number): SessionBudgets {
  const engine = steadyShares(perMinute);
  const requests = steadyShares(REQUESTS_PER_MINUTE);
  const turns = new Map<string, LimitFunction>();

  const turnOf = (id: string): LimitFunction => {
    const turn = turns.get(id) ?? pLimit(AT_A_TIME);
    turns.set(id, turn);
    return turn;
  };

  const mustBeOver = (wait: number, detail: string): void => {
    if (wait > 0) throw new Problem('RATE_LIMITED', detail, { retryAt: Date.now() + wait });
  };

  return {
    async spend(caller, work, cost) {
      const { id } = caller.key;
      const share = shareOf(caller);
      const turn = turnOf(id);
      const wait = Math.max(requests.waitOf(id), turn.pendingCount >= MOST_WAITING ? 1000 : 0);
      mustBeOver(wait, 'The pages have sent more requests with this key than people send');
      requests.use(id, 1 / share);
      try {
        await turn(async () => {
          try {
            await work();
          } finally {
            engine.use(id, cost() / share);
          }
        });
      } finally {
        if (turn.activeCount + turn.pendingCount === 0) turns.delete(id);
      }
    },
    mustHaveRoom({ key: { id } }) {
      const detail = 'The pages have asked for more with this key than the service computes for one in a minute';
      mustBeOver(engine.waitOf(id), detail);
    },
    left(caller) {
      const share = shareOf(caller);
      const left = engine.leftOf(caller.key.id);
      return {
        limit: Math.round(perMinute * share),
        left: Math.max(0, Math.floor(left * share)),
        seconds: Math.max(1, Math.ceil(((perMinute - left) / perMinute) * 60)),
      };
    },
  };
}

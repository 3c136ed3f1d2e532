import {
  monthRow,
  monthStatement,
  type TakeCallsRequest,
  type TakeCallsResult,
  takeCallsRow,
  takeCallsStatement,
} from '../../sql/org/calls.ts';
import { WINDOW_SECONDS } from '../../sql/org/limits.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { RateLimitDecision, RateLimiter, RateLimitRequest } from './rate-limiter.ts';

interface Waiting {
  readonly request: RateLimitRequest;
  resolve(place: RateLimitDecision): void;
  reject(error: unknown): void;
}

/**
 * Counts calls in the store, so that all instances count together. Calls that arrive while a statement is under way
 * share the next one: under load a statement counts many calls, and the order of arrival decides who gets a place.
 */
export function storeRateLimiter(store: OrgStore): RateLimiter {
  let waiting: Waiting[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await settle(store, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };

  return {
    take: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        if (!busy) void work();
      }),
    async month(organisationId) {
      const [month] = await store.autocommit(monthRow, monthStatement(organisationId));
      return month!;
    },
    waiting: () => waiting.length,
    // Whoever was granted a place is in the store already.
    close: () => Promise.resolve(),
  };
}

async function settle(store: OrgStore, batch: readonly Waiting[]): Promise<void> {
  // Limits may have changed between two calls of a key: such calls are not the same wish.
  const groups = [
    ...Map.groupBy(batch, ({ request }) => JSON.stringify({ ...request, amount: request.amount > 0 })).values(),
  ];
  for (const round of rounds(groups)) {
    const takes = round.map(
      (group): TakeCallsRequest => ({ ...group[0]!.request, amount: sum(group), seconds: WINDOW_SECONDS }),
    );
    const rows = await store.autocommit(takeCallsRow, takeCallsStatement(takes));
    for (const group of round) {
      const { keyId, costClass } = group[0]!.request;
      const taken = rows.find((row) => row.keyId === keyId && row.costClass === costClass);
      if (taken === undefined) throw new Error(`take_calls did not answer for ${keyId} ${costClass}`);
      share(taken, group);
    }
  }
}

/** One statement names a key and class once; further wishes of the same follow in another. */
function rounds(groups: readonly Waiting[][]): Waiting[][][] {
  const done: Waiting[][][] = [];
  const seen = new Map<string, number>();
  for (const group of groups) {
    const { keyId, costClass } = group[0]!.request;
    const index = seen.get(`${keyId} ${costClass}`) ?? 0;
    seen.set(`${keyId} ${costClass}`, index + 1);
    done[index] ??= [];
    done[index].push(group);
  }
  return done;
}

const sum = (group: readonly Waiting[]): number => group.reduce((total, { request }) => total + request.amount, 0);

/** Gives the places that were granted to those who came first. */
function share(taken: TakeCallsResult, group: readonly Waiting[]): void {
  const asked = sum(group);
  let given = 0;
  for (const { request, resolve } of group) {
    given += request.amount;
    const used = (taken.windowUsed ?? 0) - asked + given;
    const window =
      request.most === null || taken.windowEnds === null
        ? null
        : {
            limit: request.most,
            remaining: Math.max(0, request.most - used),
            endsAt: Date.parse(taken.windowEnds),
            hadRoom: given <= taken.inWindow,
          };
    resolve({ granted: given <= taken.granted, window });
  }
}

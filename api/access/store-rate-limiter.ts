import { WINDOW_SECONDS } from '../../sql/org/callers.ts';
import { type TakeCallsRequest, type TakeCallsResult, takeCallsRow, takeCallsStatement } from '../../sql/org/calls.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { readMonth } from './month.ts';
import type { RateLimitDecision, RateLimiter, RateLimitRequest } from './rate-limiter.ts';

interface WaitingCall {
  readonly request: RateLimitRequest;
  resolve(decision: RateLimitDecision): void;
  reject(error: unknown): void;
}

/** Calls with equal requests, which one take of a statement counts together. */
interface Group {
  readonly request: RateLimitRequest;
  readonly calls: WaitingCall[];
}

/**
 * Counts calls in the store, so that all instances count together. Calls that arrive while a statement is under way
 * share the next one: under load a statement counts many calls, and the order of arrival decides which are granted.
 */
export function storeRateLimiter(store: OrgStore): RateLimiter {
  let waiting: WaitingCall[] = [];
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
    month: (organisationId) => readMonth(store, organisationId),
    waiting: () => waiting.length,
    // Calls that were granted are in the store already.
    close: () => Promise.resolve(),
  };
}

async function settle(store: OrgStore, batch: readonly WaitingCall[]): Promise<void> {
  for (const round of rounds(groupsOf(batch))) {
    const takes = round.map(
      ({ request, calls }): TakeCallsRequest => ({ ...request, amount: sum(calls), seconds: WINDOW_SECONDS }),
    );
    const rows = await store.autocommit(takeCallsRow, takeCallsStatement(takes));
    for (const { request, calls } of round) {
      const { keyId, costClass } = request;
      const taken = rows.find((row) => row.keyId === keyId && row.costClass === costClass);
      if (taken === undefined) throw new Error(`take_calls did not answer for ${keyId} ${costClass}`);
      share(taken, calls);
    }
  }
}

/** Groups calls by key and class; limits may have changed between two calls of a key, which are then not the same request. */
function groupsOf(batch: readonly WaitingCall[]): Group[] {
  const groups = new Map<string, Group>();
  for (const call of batch) {
    const { request } = call;
    const id = JSON.stringify({ ...request, amount: request.amount > 0 });
    const present = groups.get(id);
    if (present === undefined) groups.set(id, { request, calls: [call] });
    else present.calls.push(call);
  }
  return [...groups.values()];
}

/** A statement names a key and class once; further groups of the same follow in another. */
function rounds(groups: readonly Group[]): Group[][] {
  const done: Group[][] = [];
  const seen = new Map<string, number>();
  for (const group of groups) {
    const { keyId, costClass } = group.request;
    const index = seen.get(`${keyId} ${costClass}`) ?? 0;
    seen.set(`${keyId} ${costClass}`, index + 1);
    done[index] ??= [];
    done[index].push(group);
  }
  return done;
}

const sum = (calls: readonly WaitingCall[]): number => calls.reduce((total, { request }) => total + request.amount, 0);

/** Grants calls in the order in which they came. */
function share(taken: TakeCallsResult, calls: readonly WaitingCall[]): void {
  const total = sum(calls);
  let counted = 0;
  for (const { request, resolve } of calls) {
    counted += request.amount;
    const used = (taken.windowUsed ?? 0) - total + counted;
    const window =
      request.most === null || taken.windowEnds === null
        ? null
        : {
            limit: request.most,
            remaining: Math.max(0, request.most - used),
            endsAt: Date.parse(taken.windowEnds),
            hadRoom: counted <= taken.inWindow,
          };
    resolve({ granted: counted <= taken.granted, window });
  }
}

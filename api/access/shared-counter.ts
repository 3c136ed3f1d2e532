import { monthRow, monthStatement, type Take, type Taken, takenRow, takeStatement } from '../../sql/org/calls.ts';
import { WINDOW_SECONDS } from '../../sql/org/limits.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { CallCounter, Place, Wish } from './counter.ts';

interface Waiting {
  readonly wish: Wish;
  resolve(place: Place): void;
  reject(error: unknown): void;
}

/**
 * Counts calls in the store, so that all instances count together. Calls that arrive while a statement is under way
 * share the next one: under load a statement counts many calls, and the order of arrival decides who gets a place.
 */
export function sharedCounter(store: OrgStore): CallCounter {
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
    take: (wish) =>
      new Promise((resolve, reject) => {
        waiting.push({ wish, resolve, reject });
        if (!busy) void work();
      }),
    async month(organisationId) {
      const [month] = await store.quick(monthRow, monthStatement(organisationId));
      return month!;
    },
    waiting: () => waiting.length,
    // Whoever was granted a place is in the store already.
    close: () => Promise.resolve(),
  };
}

async function settle(store: OrgStore, batch: readonly Waiting[]): Promise<void> {
  // Limits may have changed between two calls of a key: such calls are not the same wish.
  const groups = [...Map.groupBy(batch, ({ wish }) => JSON.stringify({ ...wish, amount: wish.amount > 0 })).values()];
  for (const round of rounds(groups)) {
    const takes = round.map((group): Take => ({ ...group[0]!.wish, amount: sum(group), seconds: WINDOW_SECONDS }));
    const rows = await store.quick(takenRow, takeStatement(takes));
    for (const group of round) {
      const { keyId, costClass } = group[0]!.wish;
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
    const { keyId, costClass } = group[0]!.wish;
    const index = seen.get(`${keyId} ${costClass}`) ?? 0;
    seen.set(`${keyId} ${costClass}`, index + 1);
    done[index] ??= [];
    done[index].push(group);
  }
  return done;
}

const sum = (group: readonly Waiting[]): number => group.reduce((total, { wish }) => total + wish.amount, 0);

/** Gives the places that were granted to those who came first. */
function share(taken: Taken, group: readonly Waiting[]): void {
  const asked = sum(group);
  let given = 0;
  for (const { wish, resolve } of group) {
    given += wish.amount;
    const used = (taken.windowUsed ?? 0) - asked + given;
    const window =
      wish.most === null || taken.windowEnds === null
        ? null
        : {
            limit: wish.most,
            remaining: Math.max(0, wish.most - used),
            endsAt: Date.parse(taken.windowEnds),
            hadRoom: given <= taken.inWindow,
          };
    resolve({ granted: given <= taken.granted, window });
  }
}

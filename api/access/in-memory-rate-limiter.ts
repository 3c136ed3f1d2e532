import type { Logger } from '../../runtime/log.ts';
import { type Month, monthRow, monthStatement, takeCallsRow, takeCallsStatement } from '../../sql/org/calls.ts';
import { WINDOW_SECONDS } from '../../sql/org/limits.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { RateLimiter, RateLimitRequest } from './rate-limiter.ts';

/** How long granted calls wait until the store has them: so much of the month is lost when the process is killed. */
const WRITE_MILLISECONDS = 100;

/** Windows kept before those that are over are looked for. */
const MANY_WINDOWS = 10_000;

interface Window {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Refused calls count too. */
  used: number;
}

const WINDOW_MILLISECONDS = WINDOW_SECONDS * 1000;

/** One that ends later than it could have begun was begun by a clock that has been set back since: it is over, too. */
const isRunning = ({ endsAt }: Window, now: number): boolean => endsAt > now && endsAt <= now + WINDOW_MILLISECONDS;

/** A month as the store had it when it was read, and what was granted since. */
interface Counted {
  readonly month: Month;
  granted: number;
  /** A store that was restored since has another one. */
  readonly restores: number;
}

/**
 * Counts calls in memory, for a store that belongs to this process alone: nobody else counts, so that no call has to wait
 * for a statement. Windows end with the process; months are kept in the store, written a little later.
 */
export function inMemoryRateLimiter(store: OrgStore, log: Logger): RateLimiter {
  const windows = new Map<string, Window>();
  const months = new Map<string, Promise<Counted>>();
  /** Granted calls by organisation that the store does not have yet. */
  let unwritten = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let failing = false;

  const windowOf = ({ keyId, costClass }: RateLimitRequest): Window => {
    const id = `${keyId} ${costClass}`;
    const now = Date.now();
    const running = windows.get(id);
    if (running !== undefined && isRunning(running, now)) return running;
    if (windows.size >= MANY_WINDOWS)
      for (const [id, window] of windows) if (!isRunning(window, now)) windows.delete(id);
    const begun = { endsAt: now + WINDOW_MILLISECONDS, used: 0 };
    windows.set(id, begun);
    return begun;
  };

  const read = async (organisationId: string): Promise<Counted> => {
    await write();
    const restores = store.restores();
    const [month] = await store.autocommit(monthRow, monthStatement(organisationId));
    return { month: month!, granted: 0, restores };
  };

  /** Whoever comes while a month is read shares it: what is granted meanwhile would be missing in a second one. */
  const monthOf = async (organisationId: string): Promise<Counted> => {
    const known = months.get(organisationId);
    if (known !== undefined) {
      const counted = await known;
      if (Date.parse(counted.month.end) > Date.now() && counted.restores === store.restores()) return counted;
    }
    if (months.get(organisationId) === known) {
      const reading = read(organisationId);
      months.set(organisationId, reading);
      reading.catch(() => months.delete(organisationId));
    }
    return months.get(organisationId)!;
  };

  const grant = (organisationId: string, counted: Counted, amount: number): void => {
    counted.granted += amount;
    unwritten.set(organisationId, (unwritten.get(organisationId) ?? 0) + amount);
    timer ??= setTimeout(write, WRITE_MILLISECONDS);
  };

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeGranted);
    return writing;
  };

  const writeGranted = async (): Promise<void> => {
    const batch = unwritten;
    unwritten = new Map();
    if (batch.size === 0) return;
    try {
      await store.autocommit(
        takeCallsRow,
        takeCallsStatement([...batch].map(([id, amount]) => grantedTake(id, amount))),
      );
      failing = false;
    } catch (error) {
      // One line when it begins; the calls are written with the next that are granted.
      if (!failing) log.error({ err: error }, 'granted calls cannot be written; they are kept');
      failing = true;
      for (const [id, amount] of batch) unwritten.set(id, (unwritten.get(id) ?? 0) + amount);
    }
  };

  return {
    async take(request) {
      const { organisationId, most, quota, amount } = request;
      const counted = quota === null ? null : await monthOf(organisationId);
      const window = most === null ? null : windowOf(request);
      if (window !== null) window.used += amount;
      const inWindow = window === null || amount === 0 || window.used <= most!;
      const granted = inWindow && (counted === null || amount === 0 || counted.month.used + counted.granted < quota!);
      if (granted && counted !== null && amount > 0) grant(organisationId, counted, amount);
      return {
        granted,
        window: window && {
          limit: most!,
          remaining: Math.max(0, most! - window.used),
          endsAt: window.endsAt,
          hadRoom: inWindow,
        },
      };
    },
    async month(organisationId) {
      const { month, granted } = await monthOf(organisationId);
      return { ...month, used: month.used + granted };
    },
    waiting: () => unwritten.size,
    close: write,
  };
}

/** Calls of an organisation that were granted already: the store only has to count them. */
const grantedTake = (organisationId: string, amount: number) => ({
  organisationId,
  keyId: organisationId,
  costClass: 'granted',
  most: null,
  seconds: WINDOW_SECONDS,
  quota: Number.MAX_SAFE_INTEGER,
  amount,
});

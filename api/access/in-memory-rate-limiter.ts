import type { Logger } from '../../runtime/log.ts';
import { WINDOW_SECONDS } from '../../sql/org/callers.ts';
import { type Month, takeCallsRow, takeCallsStatement } from '../../sql/org/calls.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { readMonth } from './month.ts';
import type { RateLimitDecision, RateLimiter, RateLimitRequest } from './rate-limiter.ts';

/** Granted calls wait this long until the store has them; those are lost when the process is killed. */
const WRITE_MILLISECONDS = 100;

/** Granted calls that could not be written are written again after this time, whether or not others follow. */
const RETRY_MILLISECONDS = 1000;

/** Number of windows from which on expired ones are removed. */
const MANY_WINDOWS = 10_000;

interface Window {
  /** Unix milliseconds. */
  readonly endsAt: number;
  /** Refused calls count too. */
  used: number;
}

const WINDOW_MILLISECONDS = WINDOW_SECONDS * 1000;

/** A window that ends later than one that begins now was begun before the clock was set back: it is over, too. */
const isRunning = ({ endsAt }: Window, now: number): boolean => endsAt > now && endsAt <= now + WINDOW_MILLISECONDS;

/** A month as the store had it when it was read, and the calls that were granted since. */
interface Counted {
  readonly month: Month;
  granted: number;
  /** Restores of the store at that time; the month is read again after another one. */
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
  let closed = false;

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
    return { month: await readMonth(store, organisationId), granted: 0, restores };
  };

  /** Calls that arrive while a month is read share it: a second one would lack what is granted meanwhile. */
  const monthOf = async (organisationId: string): Promise<Counted> => {
    const known = months.get(organisationId);
    if (known !== undefined) {
      const counted = await known;
      if (Date.parse(counted.month.end) > Date.now() && counted.restores === store.restores()) return counted;
    }
    const present = months.get(organisationId);
    if (present !== undefined && present !== known) return present;
    const reading = read(organisationId);
    months.set(organisationId, reading);
    reading.catch(() => months.delete(organisationId));
    return reading;
  };

  const grant = (organisationId: string, counted: Counted, amount: number): void => {
    counted.granted += amount;
    unwritten.set(organisationId, (unwritten.get(organisationId) ?? 0) + amount);
    writeAfter(WRITE_MILLISECONDS);
  };

  const writeAfter = (milliseconds: number): void => {
    timer ??= setTimeout(write, milliseconds);
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
      // One line when it begins.
      if (!failing) log.error({ err: error }, 'granted calls cannot be written; they are kept');
      failing = true;
      for (const [id, amount] of batch) unwritten.set(id, (unwritten.get(id) ?? 0) + amount);
      if (!closed) writeAfter(RETRY_MILLISECONDS);
    }
  };

  return {
    async take(request) {
      const { organisationId, most, quota, amount } = request;
      const month = quota === null ? null : { quota, counted: await monthOf(organisationId) };
      const window = most === null ? null : takeFrom(windowOf(request), most, amount);
      if (window?.hadRoom === false) return { granted: false, window };
      if (month === null || amount === 0) return { granted: true, window };
      const { counted } = month;
      const granted = counted.month.used + counted.granted < month.quota;
      if (granted) grant(organisationId, counted, amount);
      return { granted, window };
    },
    async month(organisationId) {
      const { month, granted } = await monthOf(organisationId);
      return { ...month, used: month.used + granted };
    },
    waiting: () => unwritten.size,
    close() {
      closed = true;
      return write();
    },
  };
}

/** Counts calls against a window; an amount of 0 always has room. */
function takeFrom(window: Window, limit: number, amount: number): RateLimitDecision['window'] {
  window.used += amount;
  return {
    limit,
    remaining: Math.max(0, limit - window.used),
    endsAt: window.endsAt,
    hadRoom: amount === 0 || window.used <= limit,
  };
}

/** Calls of an organisation that are granted already: the store only has to count them. */
const grantedTake = (organisationId: string, amount: number) => ({
  organisationId,
  keyId: organisationId,
  costClass: 'granted',
  most: null,
  seconds: WINDOW_SECONDS,
  quota: Number.MAX_SAFE_INTEGER,
  amount,
});

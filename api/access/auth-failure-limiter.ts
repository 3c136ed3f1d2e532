import type { Logger } from '../../runtime/log.ts';
import { Problem } from '../problem/problem.ts';
import { onceAMinute } from './once-a-minute.ts';
import { NO_PEERS, type Peers } from './peers.ts';

/**
 * Bounds what callers without a valid key can cost. Each refused call counts against the address that it came from; when
 * that has used up its share, its calls are refused before their key is looked up. Keys that were valid before are let
 * through all the same, so that nobody suffers from a neighbour behind the same address.
 */
export interface AuthFailureLimiter {
  /** @throws Problem RATE_LIMITED when the address has used up its share */
  mustHaveRoom(address: string): void;
  /** Counts a refused call. @throws Problem RATE_LIMITED when the address had used up its share before */
  count(address: string): void;
  /** Returns true when a key with this prefix was valid before, in this process. */
  wasGood(prefix: string): boolean;
  good(prefix: string): void;
}

/**
 * @param perMinute refused calls of an address that are answered at once, and how many are forgiven in a minute
 * @param peers share the count: an address has not more because several processes answer it
 */
export function authFailureLimiter(
  perMinute: number,
  log: Pick<Logger, 'warn'>,
  peers: Peers = NO_PEERS,
): AuthFailureLimiter {
  const shares = steadyShares(perMinute);
  const goodPrefixes = new Map<string, true>();
  const isFirst = onceAMinute();

  peers.listen((news) => {
    if ('refused' in news) shares.use(news.refused);
    else remember(goodPrefixes, news.valid, true);
  });

  const mustHaveRoom = (address: string): void => {
    const wait = shares.waitOf(address);
    if (wait === 0) return;
    const detail = 'Too many calls without a valid API key came from this address';
    throw new Problem('RATE_LIMITED', detail, { retryAt: Date.now() + wait });
  };

  return {
    mustHaveRoom,
    count(address) {
      mustHaveRoom(address);
      peers.tell({ refused: address });
      if (shares.use(address) < 1 && isFirst(address)) {
        log.warn({ address }, 'calls without a valid key are refused: too many came from this address');
      }
    },
    wasGood: (prefix) => goodPrefixes.has(prefix),
    good(prefix) {
      if (!goodPrefixes.has(prefix)) peers.tell({ valid: prefix });
      remember(goodPrefixes, prefix, true);
    },
  };
}

/** Bounds how often something may happen under a name, in this process: what was used comes back steadily, not at the end of a window. */
export interface SteadyShares {
  /** Milliseconds until the name may use one more; 0 = it may now. */
  waitOf(name: string): number;
  /** Uses one, or another amount. @returns how many are left */
  use(name: string, amount?: number): number;
  /** Returns how many are left: below zero where more was used than there was. */
  leftOf(name: string): number;
}

interface Share {
  /** The amount that is used and has not come back yet. */
  readonly used: number;
  /** The time of the last use, by performance.now(), which does not change when the clock is set. */
  readonly at: number;
}

/** @param perMinute the most that may be used at once, and how much comes back in a minute */
export function steadyShares(perMinute: number): SteadyShares {
  const shares = new Map<string, Share>();
  const perMillisecond = perMinute / 60_000;

  const usedBy = (name: string, now: number): number => {
    const share = shares.get(name);
    return share === undefined ? 0 : Math.max(0, share.used - (now - share.at) * perMillisecond);
  };

  return {
    waitOf(name) {
      const excess = usedBy(name, performance.now()) + 1 - perMinute;
      return excess <= 0 ? 0 : Math.ceil(excess / perMillisecond);
    },
    leftOf: (name) => perMinute - usedBy(name, performance.now()),
    use(name, amount = 1) {
      const now = performance.now();
      const used = usedBy(name, now) + amount;
      remember(shares, name, { used, at: now });
      return perMinute - used;
    },
  };
}

/** Names that are remembered at a time; beyond that the oldest are forgotten. */
const MAX_ENTRIES = 20_000;

/** Makes an entry the last, and removes the first when there are too many. */
function remember<Value>(entries: Map<string, Value>, name: string, value: Value): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size > MAX_ENTRIES) for (const oldest of entries.keys()) return void entries.delete(oldest);
}

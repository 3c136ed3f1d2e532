import type { Logger } from '../../runtime/log.ts';
import { Problem } from '../problem/problem.ts';
import { onceAMinute } from './once-a-minute.ts';

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

/** Addresses, and prefixes of valid keys, that are remembered at a time; beyond that the oldest are forgotten. */
const MAX_ENTRIES = 20_000;

interface Share {
  /** Refused calls that are not forgiven yet. */
  readonly used: number;
  /** performance.now(), which does not change when the clock is set. */
  readonly at: number;
}

/** @param perMinute refused calls of an address that are answered at once, and how many are forgiven in a minute */
export function authFailureLimiter(perMinute: number, log: Pick<Logger, 'warn'>): AuthFailureLimiter {
  const shares = new Map<string, Share>();
  const goodPrefixes = new Map<string, true>();
  const perMillisecond = perMinute / 60_000;
  const isFirst = onceAMinute();

  const usedBy = (address: string, now: number): number => {
    const share = shares.get(address);
    return share === undefined ? 0 : Math.max(0, share.used - (now - share.at) * perMillisecond);
  };

  const mustHaveRoom = (address: string): void => {
    const excess = usedBy(address, performance.now()) + 1 - perMinute;
    if (excess <= 0) return;
    const detail = 'Too many calls without a valid API key came from this address';
    throw new Problem('RATE_LIMITED', detail, { retryAt: Date.now() + Math.ceil(excess / perMillisecond) });
  };

  return {
    mustHaveRoom,
    count(address) {
      mustHaveRoom(address);
      const now = performance.now();
      const used = usedBy(address, now) + 1;
      remember(shares, address, { used, at: now });
      if (used + 1 > perMinute && isFirst(address)) {
        log.warn({ address }, 'calls without a valid key are refused: too many came from this address');
      }
    },
    wasGood: (prefix) => goodPrefixes.has(prefix),
    good: (prefix) => remember(goodPrefixes, prefix, true),
  };
}

/** Makes an entry the last, and removes the first when there are too many. */
function remember<Value>(entries: Map<string, Value>, name: string, value: Value): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size > MAX_ENTRIES) for (const oldest of entries.keys()) return void entries.delete(oldest);
}

import type { Logger } from '../../runtime/log.ts';
import { Problem } from '../problem/problem.ts';
import { onceAMinute } from './once-a-minute.ts';
import { NO_PEERS, type Peers } from './peers.ts';
import { remember, steadyShares } from './steady-shares.ts';

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

import type { Logger } from '../../runtime/log.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { inMemoryRateLimiter } from './in-memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { storeRateLimiter } from './store-rate-limiter.ts';

/** Counts in the store, where all instances count together; in memory where the store belongs to this process alone. */
export const openRateLimiter = (store: OrgStore, log: Logger): RateLimiter =>
  store.exclusive ? inMemoryRateLimiter(store, log) : storeRateLimiter(store);

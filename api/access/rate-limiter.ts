import type { Logger } from '../../runtime/log.ts';
import type { Month, TakeCallsRequest } from '../../sql/org/calls.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { inMemoryRateLimiter } from './in-memory-rate-limiter.ts';
import { storeRateLimiter } from './store-rate-limiter.ts';

/** Counts calls against the windows of the cost classes and the month's quota. */
export interface RateLimiter {
  /** Takes a place for a call; for an amount of 0 it only looks. */
  take(request: RateLimitRequest): Promise<RateLimitDecision>;
  /** The running month of an organisation, with every call that was granted so far. */
  month(organisationId: string): Promise<Month>;
  /** Counts that the store does not have yet. */
  waiting(): number;
  /** Writes what is left to write. */
  close(): Promise<void>;
}

export type RateLimitRequest = Omit<TakeCallsRequest, 'seconds'>;

/** What came of one call that asked for its place. */
export interface RateLimitDecision {
  readonly granted: boolean;
  /** Where the window of the cost class stands; null = the class has no limit. */
  readonly window: {
    readonly limit: number;
    readonly remaining: number;
    /** Unix milliseconds. */
    readonly endsAt: number;
    /** Whether it had room for this call; if so and the call is not granted, the month had none. */
    readonly hadRoom: boolean;
  } | null;
}

/** Counts in the store, so that all instances count together, or here where no other instance can be. */
export const openRateLimiter = (store: OrgStore, log: Logger): RateLimiter =>
  store.exclusive ? inMemoryRateLimiter(store, log) : storeRateLimiter(store);

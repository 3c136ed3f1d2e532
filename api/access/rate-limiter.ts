import type { Month, TakeCallsRequest } from '../../sql/org/calls.ts';

/** Counts calls against the windows of the cost classes and the month's quota. */
export interface RateLimiter {
  /** Counts a call; an amount of 0 only reads how much is left. */
  take(request: RateLimitRequest): Promise<RateLimitDecision>;
  /** The running month of an organisation, with every call that was granted so far. */
  month(organisationId: string): Promise<Month>;
  /** Counts that the store does not have yet. */
  waiting(): number;
  /** Writes the counts that the store does not have yet. */
  close(): Promise<void>;
}

export type RateLimitRequest = Omit<TakeCallsRequest, 'seconds'>;

/** The decision about one call. */
export interface RateLimitDecision {
  readonly granted: boolean;
  /** The window of the cost class after this call; null = the class has no limit. */
  readonly window: {
    readonly limit: number;
    readonly remaining: number;
    /** Unix milliseconds. */
    readonly endsAt: number;
    /** True when the minute had room for this call; if the call is still not granted, the month had none. */
    readonly hadRoom: boolean;
  } | null;
}

import type { Month, Take } from '../../sql/org/calls.ts';

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

export type RateLimitRequest = Omit<Take, 'seconds'>;

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

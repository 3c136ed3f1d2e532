import type { ApiRequest } from './request.ts';

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** The answer has to wait for a limit, and goes on at this time (Unix milliseconds). */
  readonly onWait?: (until: number) => void;
  /** Makes a write that was sent twice one write, so that it may be repeated after a failure. */
  readonly idempotencyKey?: string;
}

/** A request on its way, and those who wait for it. */
interface Flight<T> {
  readonly answer: Promise<T>;
  readonly aborter: AbortController;
  readonly waiting: Set<AskOptions>;
  /** The time at which it goes on (Unix milliseconds), for those who join while it waits for a limit. */
  waitingUntil: number | null;
}

/**
 * Lets several askers share one request while it is on its way. It is broken off when none of them wants it any more; each
 * of them can leave alone.
 */
export function shareRequests<T>(send: (request: ApiRequest, options: AskOptions) => Promise<T>) {
  const flights = new Map<string, Flight<T>>();

  function begin(id: string, request: ApiRequest): Flight<T> {
    const aborter = new AbortController();
    const waiting = new Set<AskOptions>();
    const onWait = (until: number): void => {
      flight.waitingUntil = until;
      for (const asker of waiting) asker.onWait?.(until);
    };
    const answer = send(request, { signal: aborter.signal, onWait }).finally(() => {
      if (flights.get(id) === flight) flights.delete(id);
    });
    // Each asker hears of a failure by itself; one that has left does not.
    answer.catch(() => undefined);
    const flight: Flight<T> = { answer, aborter, waiting, waitingUntil: null };
    flights.set(id, flight);
    return flight;
  }

  /** @param id the same for requests whose answers are the same */
  return async (id: string, request: ApiRequest, options: AskOptions): Promise<T> => {
    const { signal } = options;
    signal?.throwIfAborted();
    const flight = flights.get(id) ?? begin(id, request);
    flight.waiting.add(options);
    if (flight.waitingUntil !== null && flight.waitingUntil > Date.now()) options.onWait?.(flight.waitingUntil);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        flight.waiting.delete(options);
        if (flight.waiting.size === 0) {
          if (flights.get(id) === flight) flights.delete(id);
          flight.aborter.abort();
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave);
      flight.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  };
}

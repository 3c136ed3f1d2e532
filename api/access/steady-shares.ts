/** Bounds how often something may happen under a name, in this process: what was used comes back steadily, not at the end of a window. */
export interface SteadyShares {
  /** Milliseconds until the name may use one more; 0 = it may now. */
  waitOf(name: string): number;
  /** Uses one. @returns how many are left */
  use(name: string): number;
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
    use(name) {
      const now = performance.now();
      const used = usedBy(name, now) + 1;
      remember(shares, name, { used, at: now });
      return perMinute - used;
    },
  };
}

/** Names that are remembered at a time; beyond that the oldest are forgotten. */
const MAX_ENTRIES = 20_000;

/** Makes an entry the last, and removes the first when there are too many. */
export function remember<Value>(entries: Map<string, Value>, name: string, value: Value): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size > MAX_ENTRIES) for (const oldest of entries.keys()) return void entries.delete(oldest);
}

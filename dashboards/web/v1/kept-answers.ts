/** Answers that are kept for a while, so that what was asked is not asked again. */
export interface KeptAnswers<T> {
  get(id: string): T | undefined;
  /** @param size of the answer, in the unit of `room`; one that is larger than all the room is not kept */
  put(id: string, answer: T, size: number): void;
  clear(): void;
}

/**
 * Keeps the newest answers within bounds of time and room: a list of ten thousand units must not stay in the memory of a
 * telephone.
 * @param now gives Unix milliseconds
 */
export function keepAnswers<T>({
  milliseconds,
  room,
  now = Date.now,
}: {
  readonly milliseconds: number;
  readonly room: number;
  readonly now?: () => number;
}): KeptAnswers<T> {
  const kept = new Map<string, { readonly until: number; readonly size: number; readonly answer: T }>();
  let taken = 0;
  const drop = (id: string): void => {
    taken -= kept.get(id)?.size ?? 0;
    kept.delete(id);
  };
  return {
    get(id) {
      const found = kept.get(id);
      if (found === undefined || found.until > now()) return found?.answer;
      drop(id);
      return undefined;
    },
    put(id, answer, size) {
      drop(id);
      if (size > room) return;
      kept.set(id, { until: now() + milliseconds, size, answer });
      taken += size;
      for (const oldest of kept.keys()) {
        if (taken <= room) break;
        drop(oldest);
      }
    },
    clear() {
      kept.clear();
      taken = 0;
    },
  };
}

/** Wakes whoever waits for it. When nobody waits, the next one to wait hears the ring at once. */
export interface Bell {
  ring(): void;
  /** Waits until it is rung, or the time is over. */
  heard(timeoutMs: number): Promise<void>;
}

export function openBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard(timeoutMs) {
      if (!rung) {
        const waiting = Promise.withResolvers<void>();
        wake = waiting.resolve;
        const timer = setTimeout(waiting.resolve, timeoutMs);
        await waiting.promise;
        clearTimeout(timer);
        wake = null;
      }
      rung = false;
    },
  };
}

/**
 * Statements side by side share the memory of the engine, and each is refused what the others hold. How much they hold at once
 * depends on their timing, so that a build could fail on one day and not on the next.
 */
export interface SharedMemory {
  /**
   * Runs a statement beside others. One that finds too little memory left is run again while no other runs.
   * @param isRepeatable false where a part of the statement's work remains when it fails
   */
  run<T>(statement: () => Promise<T>, isRepeatable: (error: unknown) => boolean): Promise<T>;
}

/** @param repeats called before a statement is run again */
export function sharedMemory(repeats: () => void = () => {}): SharedMemory {
  const running = new Set<Promise<unknown>>();
  let begun = 0;
  /** Ends when no statement needs to be alone. */
  let alone: Promise<unknown> | null = null;

  const begin = async <T>(statement: () => Promise<T>): Promise<T> => {
    const result = statement();
    begun++;
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  const runAlone = <T>(statement: () => Promise<T>): Promise<T> => {
    const before = alone;
    const result = (async () => {
      await before;
      await Promise.allSettled(running);
      return begin(statement);
    })();
    const end = result.then(
      () => {},
      () => {},
    );
    alone = end;
    void end.then(() => {
      if (alone === end) alone = null;
    });
    return result;
  };

  return {
    async run(statement, isRepeatable) {
      while (alone !== null) await alone;
      const others = running.size;
      const own = begun + 1;
      try {
        return await begin(statement);
      } catch (error) {
        const hadOthers = others > 0 || begun > own;
        if (!hadOthers || !isRepeatable(error)) throw error;
        repeats();
        return runAlone(statement);
      }
    },
  };
}

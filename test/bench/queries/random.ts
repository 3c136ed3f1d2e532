/** Random choices that are the same in every run with the same seed. */
export interface Random {
  /** A whole number from 0 up to, not including, this one. */
  below(limit: number): number;
  /** One of these. @throws RangeError when there is none */
  of<Item>(list: readonly Item[]): Item;
  /** This many of them, each at most once, in random order; all when there are fewer. */
  some<Item>(count: number, list: readonly Item[]): Item[];
}

/** A generator of 32 bits (mulberry32): small, fast, and good enough to vary requests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    of(list) {
      if (list.length === 0) throw new RangeError('There is nothing to choose from');
      return list[below(list.length)]!;
    },
    some(count, list) {
      const drawn = [...list];
      const wanted = Math.min(count, drawn.length);
      for (let place = 0; place < wanted; place++) {
        const other = place + below(drawn.length - place);
        [drawn[place], drawn[other]] = [drawn[other]!, drawn[place]!];
      }
      return drawn.slice(0, wanted);
    },
  };
}

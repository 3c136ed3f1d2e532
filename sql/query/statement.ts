/**
 * A statement of the warehouse and the values of its named parameters (`$p0`, `$stichtag` …). The text never contains a
 * value; each engine binds them in its own way (inlined.ts, bound.ts).
 */
export interface WarehouseStatement {
  readonly text: string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
  /** True for rows in the order of a sorted table: it is read as far as they reach, where no second thread reads ahead. */
  readonly readsInOrder?: boolean;
}

export type WarehouseValue = string | number | boolean | null | readonly string[] | Day;

/** A calendar day, YYYY-MM-DD, that compares with columns of days. */
export interface Day {
  readonly day: string;
}

export const isDay = (value: WarehouseValue): value is Day =>
  typeof value === 'object' && value !== null && 'day' in value;

/** Matches parameters, and the texts, quoted names and comments in which a dollar sign begins none. */
export const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\w+)/g;

/** Names values p0, p1, … in the order in which they are bound, so that equal requests give equal statements. */
export interface Binder {
  /** Binds a value and returns its placeholder. */
  bind(value: WarehouseValue): string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
}

/** @param fixed values of parameters that have a name of their own, such as `today` */
export function binder(fixed: Readonly<Record<string, WarehouseValue>> = {}): Binder {
  const values: Record<string, WarehouseValue> = { ...fixed };
  let next = 0;
  return {
    values,
    bind(value) {
      const name = `p${next++}`;
      values[name] = value;
      return `$${name}`;
    },
  };
}

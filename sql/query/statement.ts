/**
 * A statement and the values of its named parameters (`$p0`, `$stichtag` …). No value ever stands in the text; how it gets
 * there is the engine's matter (inlined.ts, bound.ts).
 */
export interface WarehouseStatement {
  readonly text: string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
}

export type WarehouseValue = string | number | boolean | null | readonly string[] | Day;

/** A calendar day, YYYY-MM-DD, that compares with columns of days. */
export interface Day {
  readonly day: string;
}

export const isDay = (value: WarehouseValue): value is Day =>
  typeof value === 'object' && value !== null && 'day' in value;

/** Texts, quoted names and comments, in which a dollar sign is one; and parameters. */
export const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\w+)/g;

/** Names values p0, p1, … in the order in which they are met, so that equal questions give equal statements. */
export interface Binder {
  /** Takes a value and returns the placeholder that stands for it. */
  bind(value: WarehouseValue): string;
  readonly values: Readonly<Record<string, WarehouseValue>>;
}

/** @param fixed values of parameters that carry a name of their own, e.g. `today` */
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

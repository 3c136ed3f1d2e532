import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Expects what `toEqual` expects. It finds in a tenth of the time that large values are equal, as they nearly always are. */
export function expectEqual(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected);
}

import { isDeepStrictEqual } from 'node:util';

/**
 * Differences of two sets of named values, as lines that can be read: the first ones, and how many more there are.
 * Values that are objects are compared member by member.
 */
export function differences(
  expected: ReadonlyMap<string, unknown>,
  actual: ReadonlyMap<string, unknown>,
  most = 20,
): string[] {
  const lines: string[] = [];
  for (const [key, value] of expected) {
    if (!actual.has(key)) lines.push(`${key}: expected ${JSON.stringify(value)}, is missing`);
    else lines.push(...differ(key, value, actual.get(key)));
  }
  for (const [key, value] of actual) {
    if (!expected.has(key)) lines.push(`${key}: is ${JSON.stringify(value)}, not expected`);
  }
  return lines.length <= most ? lines : [...lines.slice(0, most), `… ${lines.length - most} more`];
}

function differ(key: string, expected: unknown, actual: unknown): string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual)) {
    return [`${key}: expected ${JSON.stringify(expected)}, is ${JSON.stringify(actual)}`];
  }
  const members = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...members].flatMap((member) => differ(`${key} ${member}`, expected[member], actual[member]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

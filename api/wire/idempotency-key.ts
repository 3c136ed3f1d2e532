import type { Violation } from '../problem/problem.ts';

/**
 * The `Idempotency-Key` of a write: quoted as draft 7 of the header's specification has it, or bare, which means the
 * same. 1 to 255 printable characters.
 * @returns null when the header is not sent
 */
export function idempotencyKey(header: string, violations: Violation[]): string | null {
  if (header === '') return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? header;
  if (/^[\x20-\x7e]{1,255}$/.test(key) && (quoted !== undefined || !/["\\]/.test(key))) return key;
  const detail = 'Idempotency-Key must have 1 to 255 printable ASCII characters, bare or in double quotes';
  violations.push({ header: 'Idempotency-Key', code: 'INVALID_PARAMETER', detail });
  return null;
}

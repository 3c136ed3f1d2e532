import type { Faults } from '../problem/faults.ts';

/** Printable ASCII, as much as a header of its specification may hold. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A text in double quotes, in which `\"` stands for a quote and `\\` for a backslash. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Reads the `Idempotency-Key` of a write: quoted as draft 7 of the header's specification has it, or bare, which means
 * the same. 1 to 255 printable characters.
 * @param headers the header, as often as it was sent
 * @returns null when it was not sent, or has a fault
 */
export function idempotencyKey(headers: readonly string[], faults: Faults): string | null {
  const refuse = (detail: string): null => {
    faults.add(() => ({ header: 'Idempotency-Key', code: 'INVALID_PARAMETER', detail: `Idempotency-Key ${detail}` }));
    return null;
  };
  const [header, ...others] = headers;
  if (header === undefined) return null;
  if (others.length > 0) return refuse('is sent more than once');
  const quoted = QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const key = quoted ?? header;
  const hasStrayQuote = quoted === undefined && /["\\]/.test(key);
  return KEY.test(key) && !hasStrayQuote
    ? key
    : refuse('must have 1 to 255 printable ASCII characters, bare or in double quotes');
}

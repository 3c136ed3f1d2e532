import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../api/webhooks/delivery/retry-after.ts';

const NOW = new Date('2026-11-08T08:49:37Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['9999999999', 9_999_999_999_000],
  // The three forms of RFC 9110.
  ['Sun, 08 Nov 2026 08:50:37 GMT', 60_000],
  ['Sunday, 08-Nov-26 08:50:37 GMT', 60_000],
  ['Sun Nov  8 08:50:37 2026', 60_000],
  ['Sun, 08 Nov 2026 08:49:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', expect.any(Number)],
])('%j is a pause', (header, pause) => expect(retryAfterMs(header, NOW)).toEqual(pause));

test.each([
  undefined,
  '',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '99999999999',
  'soon',
  'Sun',
  'Sun, nonsense GMT',
  '2026-11-08',
  '120, 240',
])('%j asks for none', (header) => expect(retryAfterMs(header, NOW)).toBeNull());

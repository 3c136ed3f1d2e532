import { expect, test } from 'vitest';
import { contentRange, MAX_RANGES, requestedRanges } from '../../../api/wire/byte-ranges.ts';

test.each([
  ['bytes=0-3', [[0, 3]]],
  ['bytes=96-', [[96, 99]]],
  ['bytes=-4', [[96, 99]]],
  ['bytes=-400', [[0, 99]]],
  ['bytes=90-400', [[90, 99]]],
  [`bytes=90-${'9'.repeat(400)}`, [[90, 99]]],
  [`bytes=-${'9'.repeat(20)}`, [[0, 99]]],
  [
    'bytes=0-3,50-53',
    [
      [0, 3],
      [50, 53],
    ],
  ],
  ['bytes=0-3, 4-9,8-12', [[0, 12]]],
  [
    'bytes=50-53,0-3',
    [
      [50, 53],
      [0, 3],
    ],
  ],
  ['bytes=0-3,400-500', [[0, 3]]],
] as const)('%s of 100 bytes', (header, ranges) => {
  expect(requestedRanges(header, 100)).toEqual(ranges.map(([start, end]) => ({ start, end })));
});

test.each(['', 'bytes', 'bytes=', 'bytes 0-3', 'lines=0-3', 'bytes=x-y', 'bytes=-', 'bytes=3-0', 'bytes=0-3,'])(
  '%j asks for the whole file',
  (header) => {
    expect(requestedRanges(header, 100)).toBe(null);
  },
);

test.each([
  'bytes=100-',
  'bytes=400-500',
  `bytes=${'9'.repeat(20)}-`,
  `bytes=${Array.from({ length: MAX_RANGES + 1 }, (_, at) => `${3 * at}-${3 * at}`)}`,
])('%s of 100 bytes is none', (header) => {
  expect(requestedRanges(header, 100)).toBe('none');
});

test('the range of an answer counts from 0 and includes its end', () => {
  expect(contentRange({ start: 0, end: 3 }, 100)).toBe('bytes 0-3/100');
});

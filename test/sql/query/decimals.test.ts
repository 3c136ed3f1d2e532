import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMostThreeDecimals } from '../../../sql/query/dialect.ts';

test.each([
  [750, 'up', '750.000'],
  [0.6, 'down', '0.600'],
  [0.1 + 0.2, 'down', '0.300'],
  [2.0001, 'up', '2.001'],
  [2.0001, 'down', '2.000'],
  [-2.0001, 'up', '-2.000'],
  [-2.0001, 'down', '-2.001'],
  [0.0004, 'down', '0.000'],
  [-0.0004, 'down', '-0.001'],
  [-0.0004, 'up', '0.000'],
  [123_456_789_012.345, 'up', '123456789012.345'],
  [1e-7, 'up', '0.001'],
  [999_999_999_999_999, 'up', '999999999999999.000'],
  // A column of three decimals and eighteen digits holds no more.
  [1e15, 'up', '999999999999999.999'],
  [-1e15, 'down', '-999999999999999.999'],
] as const)('%d %s is %s', (value, direction, text) => {
  expect(atMostThreeDecimals(value, direction)).toBe(text);
});

test('no value of three decimals lies between a bound and the rounded one', () => {
  const thousandths = fc.integer({ min: -5_000_000, max: 5_000_000 });
  fc.assert(
    fc.property(thousandths, fc.integer({ min: -50_000_000, max: 50_000_000 }), (stored, tenThousandths) => {
      const [value, bound] = [stored / 1000, tenThousandths / 10_000];
      expect(value >= Number(atMostThreeDecimals(bound, 'up'))).toBe(value >= bound);
      expect(value <= Number(atMostThreeDecimals(bound, 'down'))).toBe(value <= bound);
    }),
  );
});

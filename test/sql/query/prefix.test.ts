import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstAfterPrefix } from '../../../sql/query/suche.ts';

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('a', 'ä', '9', '\ud7ff', '\u{10ffff}'), fc.constant('z')),
  minLength: 1,
});

test('lies after every text with the prefix, and before every other text after those', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('', 'a', 'z9', 'ä'), text, (prefix, rest, other) => {
      expect(byCodePoint(prefix + rest, firstAfterPrefix(prefix))).toBeLessThan(0);
      if (!other.startsWith(prefix) && byCodePoint(other, prefix) > 0) {
        expect(byCodePoint(firstAfterPrefix(prefix), other)).toBeLessThanOrEqual(prefix.endsWith('\u{10ffff}') ? 1 : 0);
      }
    }),
  );
});

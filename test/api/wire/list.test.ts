import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitList } from '../../../api/wire/parameters.ts';

test.each([
  ['wind', ['wind']],
  ['wind,solar', ['wind', 'solar']],
  ['"Abfall, fest",Erdgas', ['Abfall, fest', 'Erdgas']],
  ['Erdgas, Heizöl ', ['Erdgas', ' Heizöl ']],
  [' ', [' ']],
  ['"sagt ""ja""",x', ['sagt "ja"', 'x']],
  ['5" Rohr', ['5" Rohr']],
])('%s', (text, items) => {
  expect(splitList(text)).toEqual(items);
});

test.each(['', ',', 'a,', ',a', 'a,,b', '""', '"', '"a', '"a"b', 'a,"b', '"a" ', 'a, "b"'])('fault: %j', (text) => {
  expect(splitList(text)).toHaveProperty('fault');
});

test('any quoted values are read back unchanged', () => {
  const values = fc.array(fc.string({ minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(values, (items) => {
      expect(splitList(items.map((item) => `"${item.replaceAll('"', '""')}"`).join())).toEqual(items);
    }),
  );
});

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvText } from '../../../api/representation/csv.ts';
import { splitList } from '../../../api/wire/parameters.ts';
import { DIALECTS, RFC_4180 } from '../../../runtime/csv-dialect.ts';
import { cases } from '../../support/cases.ts';

/** CSV that we write can be read back by a reader that is not ours. */

const written = (...values: unknown[]) => csvText([values], RFC_4180);
const inExcel = (...values: unknown[]) => csvText([values], DIALECTS.excel);

describe('a cell', () => {
  test.each([
    ['a missing value is empty', [null, undefined, 1], ',,1\r\n'],
    ['an empty text is quoted', ['', 1], '"",1\r\n'],
    ['numbers as in JSON', [0.3, -3.5, 1e21], '0.3,-3.5,1e+21\r\n'],
    ['booleans as in JSON', [true, false], 'true,false\r\n'],
    ['quotes are doubled', ['a "b"', 'c,d', 'e;f'], '"a ""b""","c,d","e;f"\r\n'],
    ['line breaks stay', ['a\nb', 'c\rd'], '"a\nb","c\rd"\r\n'],
    ['a list as in a query', [['a', 'b, c', '"d"']], '"a,""b, c"",""""""d"""""""\r\n'],
    ['an empty list is an empty text', [[], 1], '"",1\r\n'],
    ['a list of objects is JSON', [[{ a: 1 }]], '"[{""a"":1}]"\r\n'],
    ['one missing value is no empty line', [null], '""\r\n'],
  ])('%s', (_, values, text) => {
    expect(written(...values)).toBe(text);
  });

  test('Excel gets mark, semicolons and decimal commas', () => {
    expect(inExcel('a', 0.5, -1234.25, 'b;c', 'd.e', '2026-11-01')).toBe(
      '\ufeffa;0,5;-1234,25;"b;c";d.e;2026-11-01\r\n',
    );
  });

  test.each(['=1+1', '+49', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '=a,b', "'=1", "''@x"])(
    'the text %j is no formula',
    (text) => {
      for (const [csv, options] of [
        [written(text), {}],
        [inExcel(text), { delimiter: ';', bom: true }],
      ] as const) {
        expect(parse(csv, options)).toEqual([[`'${text}`]]);
      }
    },
  );

  test.each(['a=b', "'", "'a", '1-2', 'e@f', 'Wasserkraft'])('the text %j stays as it is', (text) => {
    expect(parse(written(text))).toEqual([[text]]);
  });
});

/** Texts with everything that CSV treats in a special way. */
const text = fc.string({ unit: fc.constantFrom(...'ab1.-=+@\'",; \t\r\nä＝') });
const value = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(
    text.filter((item) => item !== ''),
    { minLength: 1 },
  ),
);

test.each(Object.entries({ RFC_4180, ...DIALECTS }))('%s: every record comes back', (_, dialect) => {
  const records = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1 }));
  fc.assert(
    fc.property(records, (sent) => {
      const seen: string[][] = parse(csvText(sent, dialect), {
        delimiter: dialect.separator,
        bom: true,
        recordDelimiter: '\r\n',
      });
      expect(seen).toHaveLength(sent.length);
      for (const [row, values] of sent.entries()) {
        expect(seen[row]!.map((cell, at) => readBack(cell, values[at], dialect.decimalPoint))).toEqual(values);
      }
    }),
    { numRuns: cases(200) },
  );
});

/** Reads a cell as a value of the same kind. */
function readBack(cell: string, sent: unknown, decimalPoint: string): unknown {
  if (sent === null) return cell === '' ? null : cell;
  if (typeof sent === 'number') return Object.is(sent, -0) ? sent : Number(cell.replace(decimalPoint, '.'));
  if (typeof sent === 'boolean') return cell === 'true';
  const harmed = /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
  return Array.isArray(sent) ? inOrder(splitList(harmed)) : harmed;
}

const inOrder = (items: ReturnType<typeof splitList>): unknown => ('fault' in items ? items.fault : [...items]);

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../api/admin/common/read-json.ts';

/** Documents that commands read: what is said of one that is no JSON. */

function refusal(text: string): string {
  try {
    readJson(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${text.slice(0, 100)} was read`);
}

const NO_JSON = 'The document is no JSON that can be taken in: ';

describe('the place of the fault is named, and nothing of what stands there', () => {
  test.each([
    ['Erika', 'line 1 column 1'],
    ['{ "name": Erika }', 'line 1 column 11'],
    ['{\n  "art": "PERSON",\n  "name": "Erika",\n}', 'line 4 column 1'],
    ['[true,]', 'line 1 column 7'],
    ["{ 'name': 1 }", 'line 1 column 3'],
    ['{"a": 1}\r\n{"b": 2}', 'line 2 column 1'],
    ['{"name": "Erika\nMuster"}', 'line 1 column 16'],
  ])('%j', (text, place) => {
    expect(refusal(text)).toBe(`${NO_JSON}see ${place}`);
  });

  test('wherever it is', () => {
    const token = fc.constantFrom('Erika', ',', '}', '+', 'nul1', '\u{1F32C}');
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1 }), fc.nat(), token, (lines, choice, token) => {
        const before = lines.slice(0, choice % lines.length).map((line) => `${line},\n`);
        const text = `[${before.join('')}${token},\n${lines.join(',')}]`;
        // A word that begins like a literal is wrong where it goes on otherwise.
        const column = (before.length === 0 ? 2 : 1) + (token === 'nul1' ? 3 : 0);
        expect(refusal(text)).toBe(`${NO_JSON}see line ${before.length + 1} column ${column}`);
      }),
      { numRuns: 50 },
    );
  });
});

test.each(['', ' \n', '{"a": 1', '{"a": "Eri', '[1,', 'tru', '{"a"'])('%j ends early, or is empty', (text) => {
  expect(refusal(text)).toBe(`${NO_JSON}it ends early, or is empty`);
});

test('the place in a text that is very long is not looked for', () => {
  expect(refusal(`["${'x'.repeat(2_000_000)}", Erika]`)).toBe(`${NO_JSON}something stands where it cannot`);
});

test('a member named __proto__ is refused', () => {
  expect(refusal('{"a": {"__proto__": 1}}')).toBe(`${NO_JSON}it has a member "__proto__"`);
});

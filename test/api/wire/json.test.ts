import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../../api/problem/problem.ts';
import { readJson } from '../../../api/wire/json.ts';
import { anyCharacter } from '../../support/characters.ts';

/** Bodies as JSON: a member that is given twice is a fault (decisions, JSON body). */

function refused(text: string): Problem {
  try {
    readJson(text);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`It was read: ${text.slice(0, 100)}`);
}

const pointerOf = ({ particulars }: Problem) => Reflect.get(particulars.violations?.[0] ?? {}, 'pointer');

describe('a member twice is refused, and named', () => {
  test.each([
    ['{"a":1,"a":1}', '#/a'],
    ['{"a":1,"\\u0061":2}', '#/a'],
    ['{"a":{"b":[0,{"c":1,"d":{},"c":2}]}}', '#/a/b/1/c'],
    ['[{"a":1},{"b/~ü":1, "b/~ü" : 2}]', '#/1/b~1~0%C3%BC'],
    ['{"":1,"":2}', '#/'],
    ['{"\\ud800":1,"\\ud800":2}', '#/%EF%BF%BD'],
    ['{"a\\"":1,"b":"\\\\","a\\"":2}', '#/a%22'],
  ])('%s', (text, pointer) => {
    const problem = refused(text);
    expect(problem.code).toBe('INVALID_BODY');
    expect(problem.message).toContain('twice');
    expect(pointerOf(problem)).toBe(pointer);
  });
});

test.each([
  '{"a":{"a":{"a":1}},"b":["a","a",{"a":1},{"a":2}]}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"A":1,"a":2,"constructor":3,"toString":4}',
  '["x",["x"],{}]',
  '"text"',
])('%s has no member twice', (text) => {
  expect(readJson(text)).toEqual(JSON.parse(text));
});

test('any JSON is parsed unchanged', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value)),
      fc.nat(3),
      (text, indent) => {
        fc.pre(!text.includes('__proto__'));
        expect(readJson(JSON.stringify(JSON.parse(text), null, indent))).toEqual(JSON.parse(text));
      },
    ),
  );
});

test('a repeated member of any object is refused', () => {
  const names = fc.string({ unit: anyCharacter, maxLength: 5 }).filter((name) => name !== '__proto__');
  fc.assert(
    fc.property(fc.uniqueArray(names, { minLength: 1 }), fc.nat(), (unique, nth) => {
      const again = unique[nth % unique.length] ?? '';
      const text = [...unique, again].map((name) => `${JSON.stringify(name)}:0`).join();
      expect(refused(`[{${text}}]`).code).toBe('INVALID_BODY');
    }),
  );
});

test.each(['', '{', '{"a"', '{"a":1,}', '{"\\x":1}', '"', '"\\', '{"a":1}}', ']]]]', '{"a" 1 "a"}', ',,,'])(
  '%j is not JSON',
  (text) => {
    expect(refused(text).code).toBe('INVALID_BODY');
  },
);

test('a body that is deeper or has more values than any request needs is refused before it is parsed', () => {
  expect(refused('['.repeat(500_000)).message).toContain('nested deeper');
  expect(refused(`[${'['.repeat(33)}${']'.repeat(33)}]`).message).toContain('nested deeper');
  expect(readJson(`${'['.repeat(33)}${']'.repeat(33)}`)).toHaveLength(1);
  expect(refused(`[${'0,'.repeat(30_000)}0]`).code).toBe('TOO_MANY_VALUES');
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":0`)}}`;
  expect(refused(members(2001)).message).toBe('The body has more than 2000 members; no object takes so many');
  expect(refused(`{"a":[0,${members(2001)}]}`).message).toContain('#/a/1 has more than 2000 members');
  expect(Object.keys(readJson(members(2000)) as object)).toHaveLength(2000);
  expect(readJson(`[${'0,'.repeat(29_999)}0]`)).toHaveLength(30_000);
});

test('a member named __proto__ is refused', () => {
  expect(pointerOf(refused('{"a":{"__proto__":1}}'))).toBe('#/a/__proto__');
  expect(pointerOf(refused('{"\\u005f_proto__":1}'))).toBe('#/__proto__');
});

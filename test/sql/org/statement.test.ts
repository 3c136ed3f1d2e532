import { describe, expect, it } from 'vitest';
import { all, sql } from '../../../sql/org/statement.ts';

describe('a statement', () => {
  it('keeps its values apart from its text', () => {
    const { text, values } = sql`SELECT ${1}, ${'two'}, ${null}, ${true}, ${['a', 'b']}`;
    expect(text).toBe('SELECT $1, $2, $3, $4, $5');
    expect(values).toEqual([1, 'two', null, true, ['a', 'b']]);
  });

  it('includes parts, and numbers their values consecutively', () => {
    const inner = sql`b = ${2} OR c = ${3}`;
    const { text, values } = sql`a = ${1} AND (${sql`${inner} OR d = ${4}`}) AND e = ${5} AND ${inner}`;
    expect(text).toBe('a = $1 AND (b = $2 OR c = $3 OR d = $4) AND e = $5 AND b = $6 OR c = $7');
    expect(values).toEqual([1, 2, 3, 4, 5, 2, 3]);
  });

  it('does not change text that only looks like a parameter', () => {
    const piece = sql`price = '$1' AND id = ${7}`;
    expect(sql`x = ${1} AND ${piece}`.text).toBe("x = $1 AND price = '$1' AND id = $2");
  });

  it('numbers more than nine values', () => {
    const ten = Array.from({ length: 10 }, (_, index) => sql`${index}`);
    const list = ten.reduce((left, right) => sql`${left}, ${right}`);
    expect(sql`VALUES (${'first'}, ${list})`.text).toBe('VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)');
  });
});

describe('conditions joined by AND', () => {
  it('have parentheses', () => {
    const { text, values } = all([sql`a = ${1} OR b = ${2}`, sql`c = ${3}`]);
    expect(text).toBe('true AND (a = $1 OR b = $2) AND (c = $3)');
    expect(values).toEqual([1, 2, 3]);
  });

  it('are true when there are none', () => {
    expect(all([]).text).toBe('true');
  });
});

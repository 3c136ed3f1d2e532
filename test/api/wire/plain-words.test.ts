import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainWords } from '../../../api/wire/plain-words.ts';

/** Schemas without messages of their own are refused in words that complete "limit …". */

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), 7, 'must be a text'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.strictObject({}), [], 'must be an object'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.string().min(2), 'a', 'must be at least 2 characters long'],
  [z.array(z.int()).max(1), [1, 2], 'must be at most 1 items long'],
  [z.number().min(3), 2, 'must be at least 3'],
  [z.number().multipleOf(5), 2, 'must be a multiple of 5'],
  [z.strictObject({}), { a: 1 }, 'has members that are not known here'],
  [z.uuid(), 'x', 'does not have the form that is described'],
  [z.union([z.string(), z.int()]), true, 'does not have the form that is described'],
])('%#: %j', (schema, value, message) => {
  expect(schema.safeParse(value, { error: plainWords }).error?.issues[0]?.message).toBe(message);
});

test('a message of the schema wins', () => {
  expect(z.string('must be a name').safeParse(7, { error: plainWords }).error?.issues[0]?.message).toBe(
    'must be a name',
  );
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Console, openConsole } from './console.ts';

/** The commands `filters create|change|delete`, which are operations of the interface. */

let admin: Console;
beforeAll(async () => {
  admin = await openConsole();
  await admin.json('organisations create werk --name Werk');
});
afterAll(() => admin.close());

const WIND = { einheitTyp: ['wind'], leistungMinKw: 3000 };
const create = (name: string) =>
  admin.json(['filters', 'create', 'werk', name, '--criteria', '-'], JSON.stringify(WIND));
const listed = async (id: string) =>
  (await admin.json('filters list werk')).find((filter: { id: string }) => filter.id === id);

test('a filter is made, changed and deleted, with the answers of the interface', async () => {
  const { organisation, data, meta } = await create('Große Windparks');
  expect({ organisation, meta }).toEqual({ organisation: 'werk', meta: {} });
  expect(Object.keys(data)).toEqual(['id', 'name', 'angelegtAm', 'geaendertAm']);
  expect(await listed(data.id)).toMatchObject({ name: 'Große Windparks', kind: 'table', criteria: WIND });
  await admin.json(['filters', 'change', 'werk', data.id, '--name', 'Windparks']);
  expect(await listed(data.id)).toMatchObject({ name: 'Windparks', criteria: WIND });
  await admin.json(['filters', 'change', 'werk', data.id, '--criteria', '-'], '{}');
  expect(await listed(data.id)).toMatchObject({ name: 'Windparks', criteria: {} });
  expect((await admin.json(`filters delete werk ${data.id}`)).meta).toEqual({ deleted: data.id });
  expect(await listed(data.id)).toBeUndefined();
});

test('people read the members of the answer, one on each line', async () => {
  const { out } = await admin.run('filters create werk Solar --criteria -', '{}');
  expect(out).toMatch(/^id {9} {2}[0-9a-f-]{36}\nname {7} {2}Solar\nangelegtAm {3}.*Z\ngeaendertAm {2}.*Z\n$/);
});

test('the log has the operation and the id, and nothing of the criteria', async () => {
  const before = admin.log.length;
  const { data } = await create('Im Log');
  const lines = admin.log.slice(before);
  expect(lines).toMatchObject([
    { command: 'filters create', organisation: 'werk', operation: 'saved-filters.create', of: data.id },
  ]);
  expect(JSON.stringify(lines)).not.toContain('wind');
});

test.each([
  [['create', 'werk', 'Wind', '--criteria', '-'], '{', /^The document is no JSON/],
  [['create', 'werk', 'Wind', '--criteria', '-'], '{ "einheitTyp": ["wint"] }', /#\/criteria\/einheitTyp\/0 .*wint/],
  [['create', 'werk', ' Wind', '--criteria', '-'], '{}', /#\/name must not begin or end with blanks/],
  [['create', 'wrek', 'Wind', '--criteria', '-'], '{}', /There is no organisation wrek; did you mean werk\?/],
  [['delete', 'werk', randomUUID()], '', /The organisation has no saved filter with this id/],
])('filters %j is refused', async (words, input, message) => {
  expect(await admin.refusal(['filters', ...words], input)).toMatch(message);
});

test('a name that is taken is refused as by the interface', async () => {
  await create('Doppelt');
  expect(await admin.refusal('filters create werk Doppelt --criteria -', '{}')).toMatch(/has this name already/);
});

test('the help has the texts of the operation, and the request that does the same', async () => {
  const { out } = await admin.run('filters create --help');
  expect(out).toContain('<name>');
  expect(out).toMatch(/--criteria <file> +a JSON file, or - for standard input: unit\s+filters/);
  expect(out).toContain('POST /v1/saved-filters.');
});

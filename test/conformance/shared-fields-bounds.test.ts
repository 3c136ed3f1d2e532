import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../support/connections.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';
import { makeCrossingField, openField, writeTexts } from '../support/shared-fields.ts';
import { type SharedFields, sharedFieldsOf } from '../support/shared-fields-client.ts';

/** However much crosses a connection, an answer is bounded in rows and bytes, and says that there is more. */

const UNITS = 600;
const FIELDS = 20;
const units = Array.from({ length: UNITS }, (_, index) => `SEE${900_000_000_001 + index}`);

let service: OwnSubject;
let sides: readonly SharedFields[];
let fields: Awaited<ReturnType<typeof makeCrossingField>>[];

beforeAll(async () => {
  service = await serveSharedFixture();
  const { store } = service;
  const [owner, partner] = [await makeOrganisation(store), await makeOrganisation(store)];
  const connection = await connect(store, owner, partner, { assets: units });
  fields = [];
  for (let index = 0; index < FIELDS; index++) {
    const name = `Feld ${String(index).padStart(2, '0')}`;
    const field = await makeCrossingField(store, owner.id, { name, multiple: true });
    await openField(store, connection, field);
    fields.push(field);
  }
  sides = await Promise.all(
    [owner, partner].map(async (side) => sharedFieldsOf(service, (await makeKey(store, side)).text, connection)),
  );
});
afterAll(() => service.stop());

test('10,000 rows at most, the first ones by unit and name', async () => {
  const { status, json } = await sides[1]!.list();
  expect([status, json.meta]).toEqual([200, { count: 10_000, hasMore: true, cursor: null }]);
  const expected = units.slice(0, 10_000 / FIELDS).flatMap((unit) => fields.map(({ name }) => `${unit} ${name}`));
  expect(json.data.map((row: { anlage: string; def: { name: string } }) => `${row.anlage} ${row.def.name}`)).toEqual(
    expected,
  );
});

test('a unit alone has all of its rows', async () => {
  const { json } = await sides[1]!.list(`anlage=${units.at(-1)}`);
  expect(json.meta).toEqual({ count: FIELDS, hasMore: false, cursor: null });
});

test('an answer ends before the row with which it exceeds 8 MiB', async () => {
  const texts = Array.from({ length: 100 }, () => 'ü'.repeat(10_000));
  for (const field of fields.slice(0, 6)) await writeTexts(service.store, field, units[0]!, texts);
  for (const side of sides) {
    const { json, text } = await side.list(`anlage=${units[0]}`);
    expect(json.meta).toEqual({ count: 4, hasMore: true, cursor: null });
    for (const { werte } of json.data) expect(werte).toHaveLength(100);
    expect(Buffer.byteLength(text)).toBeLessThan(8 * 1024 * 1024);
  }
});

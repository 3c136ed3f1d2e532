import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import { insertTexts, makeField } from '../support/custom-fields.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { rowStatuses, unit } from '../support/portfolio.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Own values of several units at once: each as PUT and GET /v1/units/{id}/custom-fields have it. */

const PATH = '/v1/custom-fields/values';

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
});

const field = (choices: Partial<CustomFieldRow> = {}) => makeField(service.store, organisation, choices);
const put = (values: readonly object[], query = '') =>
  service.send('PUT', PATH + query, {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ values }),
  });
const read = async (...numbers: readonly number[]) =>
  (await service.get(`${PATH}?mastrNummern=${numbers.map(unit).join(',')}`, withKey(key))).json;

test('each unit and field is replaced or fails by itself, and a dry run leaves all as it was', async () => {
  const text = await field({ name: 'A', multiple: true });
  const sum = await field({ name: 'B', type: 'NUMBER' });
  const rows = [
    { mastrNummer: unit(1), defId: text.id, text: 'x' },
    { mastrNummer: unit(1), defId: text.id, text: 'y' },
    { mastrNummer: unit(3), defId: sum.id, zahl: 1.5 },
    { mastrNummer: unit(3), defId: text.id, zahl: 1 },
    { mastrNummer: 'SEE999999999999', defId: text.id, text: 'x' },
    { mastrNummer: unit(3), defId: randomUUIDv7(), text: 'x' },
    { defId: text.id, text: 'x' },
  ];
  const statuses = ['created', 'created', 'created', 'failed', 'failed', 'failed', 'failed'];
  const tried = await put(rows, '?dryRun=true');
  expect([tried.status, rowStatuses(tried)]).toEqual([207, statuses]);
  expect((await read(1, 3)).data).toEqual([]);
  const written = await put(rows);
  expect(rowStatuses(written)).toEqual(statuses);
  expect(written.json.data[0].externalId).toBe(`${unit(1)}/${text.id}`);
  const shown = await read(3, 1, 7);
  expect(shown.meta).toEqual({ count: 3, complete: true });
  expect(shown.data).toMatchObject([
    { mastrNummer: unit(1), defId: text.id, text: 'x', reihenfolge: 0 },
    { mastrNummer: unit(1), defId: text.id, text: 'y', reihenfolge: 1 },
    { mastrNummer: unit(3), defId: sum.id, zahl: 1.5 },
  ]);
  const one = (await service.get(`/v1/units/${unit(1)}/custom-fields`, withKey(key))).json.data;
  expect(shown.data.slice(0, 2)).toEqual(one.map((value: object) => ({ mastrNummer: unit(1), ...value })));

  const again = await put([...rows.slice(0, 2), { mastrNummer: unit(3), defId: sum.id }]);
  expect([again.status, rowStatuses(again)]).toEqual([200, ['unchanged', 'unchanged', 'updated']]);
  expect((await read(1, 3)).meta.count).toBe(2);
});

test('answers of partners are read and not replaced, and fields that partners fill are refused', async () => {
  const other = await makeOrganisation(service.store);
  const made = await field();
  const asked = await field({ filledByPartner: true });
  const of = { id: made.id, ownerId: organisation.id };
  await insertTexts(service.store, of, ['fremd'], { mastrNumber: unit(1), writerId: other.id });
  const written = await put([
    { mastrNummer: unit(1), defId: made.id, text: 'eigen' },
    { mastrNummer: unit(1), defId: asked.id, text: 'x' },
  ]);
  expect(rowStatuses(written)).toEqual(['created', 'failed']);
  expect((await read(1)).data.map(({ text, schreiber }: Record<string, string>) => [text, schreiber])).toEqual([
    ['eigen', 'eigen'],
    ['fremd', 'gegenseite'],
  ]);
});

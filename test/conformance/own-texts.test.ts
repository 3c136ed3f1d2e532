import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertValues } from '../../sql/org/records/custom-field-values.ts';
import type { CustomFieldRow } from '../../sql/org/records/custom-fields.ts';
import { makeField } from '../support/custom-fields.ts';
import { ownFields } from '../support/custom-fields-client.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture, shortNumbers } from '../support/service.ts';

/** suche looks into the texts of the organisation's own fields, too (decisions.md, suche). */

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
  await write(organisation.id, 1, 'Pachtvertrag Öhringen');
  await write(organisation.id, 13, 'PACHT läuft aus');
});

/** Writes a text into a new field of an organisation. @returns the field */
async function write(organisationId: string, number: number, text: string): Promise<CustomFieldRow> {
  const field = await makeField(service.store, { id: organisationId }, { type: 'LONG_TEXT' });
  await writeInto(field, organisationId, [{ number, text }]);
  return field;
}

const writeInto = (
  { id: fieldId }: CustomFieldRow,
  organisationId: string,
  texts: readonly { readonly number: number; readonly text: string }[],
  writerId = organisationId,
) =>
  service.store.asOperator((session) =>
    session.run(
      insertValues(
        organisationId,
        texts.map(({ number, text }) => ({
          fieldId,
          mastrNumber: unit(number),
          writerId,
          values: [{ text, number: null, day: null, dayPrecision: null }],
          updatedAt: '2026-01-01T00:00:00.000Z',
        })),
      ),
    ),
  );

const list = (words: string, more = '') =>
  service.get(`/v1/units?suche=${encodeURIComponent(words)}${more}`, withKey(key));
const found = async (words: string) => shortNumbers(await list(words)).join(' ');

describe('a word is found', () => {
  test.each([
    ['pacht', '01 13'],
    ['PACHTVERTRÄG', '01'],
    ['ohringen', '01'],
    // One word in a text of its own, one in the register.
    ['pacht dach', '13'],
    ['pacht nordsee', '01'],
    ['pacht SEE900000000013', '13'],
    ['lauft Süd', '13'],
    ['pacht köln', ''],
  ])('%j', async (words, expected) => {
    expect(await found(words)).toBe(expected);
  });

  test('at once in the first text of an organisation, although the same was asked before', async () => {
    const newcomer = await makeOrganisation(service.store);
    const { text: newKey } = await makeKey(service.store, newcomer);
    const ask = () => service.get('/v1/units?suche=pachtvertrag', withKey(newKey));
    expect(shortNumbers(await ask())).toEqual([]);
    expect(shortNumbers(await ask())).toEqual([]);
    await write(newcomer.id, 13, 'Pachtvertrag');
    expect(shortNumbers(await ask())).toEqual(['13']);
  });

  test('together with the register, each unit once', async () => {
    await write(organisation.id, 13, 'Dach');
    const response = await list('dach');
    expect([shortNumbers(response).join(' '), response.json.meta.page.total]).toEqual(['13 14 15 16', 4]);
  });

  test('by POST and by a saved filter', async () => {
    const { id } = await saveFilter(service.store, organisation.id, {
      criteria: { suche: 'Pacht', einheitTyp: ['solar'] },
    });
    expect(shortNumbers(await service.get(`/v1/units?savedFilterId=${id}`, withKey(key)))).toEqual(['13']);
    const response = await service.send('POST', '/v1/units/search', {
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ suche: 'pacht' }),
    });
    expect(shortNumbers(response)).toEqual(['01', '13']);
  });
});

describe('a text is found from the moment it is written until it is replaced', () => {
  test('by PUT', async () => {
    const field = await makeField(service.store, organisation, { multiple: true });
    const put = (...texts: string[]) =>
      ownFields(service, key).put(2, [{ defId: field.id }, ...texts.map((text) => ({ defId: field.id, text }))]);
    await put('Zaunkönig Nr. 7', 'Zaunkönig');
    expect(await found('zaunkonig 7')).toBe('02');
    await put('Zaunkönig');
    expect([await found('zaunkonig'), await found('zaunkonig nr.')]).toEqual(['02', '']);
    await put();
    expect(await found('zaunkonig')).toBe('');
  });

  test('and not after a dry run', async () => {
    const field = await makeField(service.store, organisation);
    await ownFields(service, key).put(2, [{ defId: field.id, text: 'Zaunkönig' }], { query: 'dryRun=true' });
    expect(await found('zaunkonig')).toBe('');
  });

  test('unless its field is retired', async () => {
    const field = await write(organisation.id, 2, 'Zaunkönig');
    await makeField(service.store, organisation, { ...field, retiredAt: '2026-01-01T00:00:00.000Z' });
    expect(await found('zaunkonig')).toBe('');
    await makeField(service.store, organisation, field);
    expect(await found('zaunkonig')).toBe('02');
  });
});

test('an answer of a partner is found by the organisation that asked, and not by the partner', async () => {
  const partner = await makeOrganisation(service.store);
  const field = await makeField(service.store, organisation, { filledByPartner: true });
  await writeInto(field, organisation.id, [{ number: 2, text: 'Zaunkönig' }], partner.id);
  expect(await found('zaunkonig')).toBe('02');
  key = (await makeKey(service.store, partner)).text;
  expect(await found('zaunkonig')).toBe('');
});

test.each([
  ['options of a DROPDOWN', { type: 'DROPDOWN', choices: ['Zaunkönig'] }, { text: 'Zaunkönig' }, 'zaunkonig'],
  ['addresses', { type: 'URL' }, { text: 'https://Zaun.example/König?a=1' }, 'example/konig?'],
] as const)('%s are found like texts', async (_, { type, ...rest }, slot, word) => {
  const choices = 'choices' in rest ? [...rest.choices] : [];
  const field = await makeField(service.store, organisation, { type, choices });
  await ownFields(service, key).put(2, [{ defId: field.id, ...slot }]);
  expect(await found(word)).toBe('02');
});

test('aggregations count the units', async () => {
  const { json } = await service.get('/v1/aggregations?groupBy=einheitTyp&suche=pacht', withKey(key));
  const counts = json.data.groups.map(({ key: type, count }: Record<string, unknown>) => [type, count]);
  expect(counts.sort()).toEqual([
    ['solar', 1],
    ['wind', 1],
  ]);
});

test('a term that too many own texts have is refused: it would keep others waiting', async () => {
  const field = await makeField(service.store, organisation, { type: 'LONG_TEXT' });
  const words = (from: number) => Array.from({ length: 1_500 }, (_, index) => `zk${from + index}`).join(' ');
  await writeInto(
    field,
    organisation.id,
    Array.from({ length: 14 }, (_, index) => ({ number: index + 1, text: words(index * 1_500) })),
  );
  const refused = await list('zk');
  expectProblem(refused, 400, 'INVALID_PARAMETER');
  expect(refused.json.detail).toBe(
    'suche: too many texts of your own fields have "zk" to search them all; write more of the word',
  );
  expect(await found('zk20999')).toBe('14');
});

test('a text about a departed unit finds nothing', async () => {
  await write(organisation.id, 99, 'Verschollen');
  expect(await found('verschollen')).toBe('');
});

test('texts of another organisation are never found', async () => {
  key = (await makeKey(service.store, await makeOrganisation(service.store))).text;
  expect(await found('pacht')).toBe('');
});

test('texts are searched with the module workspace only', async () => {
  const poor = await makeOrganisation(service.store, { modules: ['api', 'analysis'] });
  await write(poor.id, 1, 'Pachtvertrag');
  key = (await makeKey(service.store, poor)).text;
  expect(await found('pacht')).toBe('');
});

describe('entity tags', () => {
  test('an answer that may contain texts of the organisation has none: they change without a new version', async () => {
    expect((await list('pacht')).headers.get('etag')).toBeNull();
    await write(organisation.id, 2, 'Pacht');
    expect(await found('pacht')).toBe('01 02 13');
  });

  test('without the module it has one', async () => {
    const poor = await makeOrganisation(service.store, { modules: ['api', 'analysis'] });
    key = (await makeKey(service.store, poor)).text;
    expect((await list('dach')).headers.get('etag')).toMatch(/^W\//);
  });
});

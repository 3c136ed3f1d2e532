import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../sql/org/statement.ts';
import { fold } from '../../sql/query/fold.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture, shortNumbers } from '../support/service.ts';
import { saveFilter } from './saved-filter.ts';

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

/** Writes a text into a new field of an organisation. */
async function write(organisationId: string, number: number, text: string): Promise<void> {
  const id = randomUUIDv7();
  await service.store.asOrganisation(organisationId, async (session) => {
    await session.run(sql`
      INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at, updated_at)
      VALUES (${id}, ${organisationId}, ${id}, 'LONG_TEXT', false, '{}', false, false, now(), now())`);
    await session.run(sql`
      INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, written_by, updated_at)
      VALUES (${organisationId}, ${id}, ${unit(number)}, 0, ${text}, ${fold(text)}, 'own', now())`);
  });
}

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
    ['pacht\0dach', '13'],
  ])('%j', async (words, expected) => {
    expect(await found(words)).toBe(expected);
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

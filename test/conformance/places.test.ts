import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Places and values that no unit has, from a figure to its units (decisions, §8: places, `meta.hinweise`). */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const get = async (path: string, query: Record<string, string>) =>
  (await service.get(`${path}?${new URLSearchParams(query)}`)).json;

const LEVELS = ['landkreis', 'gemeinde'] as const;

/** Every spelling of every place of the register: name, name and state, key. */
async function spellings(level: (typeof LEVELS)[number]): Promise<string[]> {
  const { data } = await get('/v1/aggregations', { groupBy: level });
  const places: { key: string | null; schluessel: string | null; name: string | null; bundesland: string | null }[] =
    data.groups;
  const all = places.flatMap(({ key, schluessel, name, bundesland }) => [
    key,
    schluessel,
    name,
    `${name}, ${bundesland}`,
  ]);
  return [...new Set(all.filter((spelling) => spelling !== null))];
}

describe.each(LEVELS)('%s', (level) => {
  test('a spelling covers the same units in regions, lists, searches, aggregations and in the older variant', async () => {
    const all = await spellings(level);
    expect(all.length).toBeGreaterThan(10);
    for (const spelling of all) {
      const planned = { [level]: spelling, betriebsStatus: 'In Planung' };
      const { data } = await get('/v1/region/momentaufnahme', { ebene: level, region: spelling });
      const list = await get('/v1/units', { limit: '1', ...planned });
      const body = JSON.stringify({ limit: 1, [level]: spelling, betriebsStatus: ['In Planung'] });
      const headers = { 'Content-Type': 'application/json' };
      const found = await service.send('POST', '/v1/units/search', { body, headers });
      const counted = await get('/v1/aggregations', { groupBy: 'einheitTyp', ...planned });
      const asked = new URLSearchParams({ limit: '1000', [level]: spelling, status: 'In Planung' });
      const response = await fetch(`${service.url}/api/v1/units?${asked}`, { headers: { 'X-API-Key': service.key } });
      const older = (await response.json()) as { meta: { count: number } };
      const numbers = [list.meta.page.total, found.json.meta.page.total, counted.data.totals.count, older.meta.count];
      expect(numbers, spelling).toEqual(numbers.map(() => data.pipeline.anzahl));
    }
  });

  test('the key of a group is a filter for exactly its units, and so is its official key', async () => {
    const { data } = await get('/v1/aggregations', { groupBy: level });
    for (const { key, schluessel, count } of data.groups) {
      for (const spelling of [key, schluessel].filter((text) => text !== null)) {
        expect((await get('/v1/units', { limit: '1', [level]: spelling })).meta.page.total, spelling).toBe(count);
      }
    }
  });
});

test('the answer of a region lists the places that its name covers', async () => {
  const covered = async (region: string) =>
    (await get('/v1/region/altersstruktur', { ebene: 'landkreis', region })).meta.regionen;
  expect(await covered('Landkreis Neustadt, Bayern')).toEqual([
    { schluessel: '09575', name: 'Landkreis Neustadt', bundesland: 'Bayern' },
  ]);
  expect(await covered('Landkreis Neustadt')).toHaveLength(2);
  expect(await covered('Landkreis Neustad')).toEqual([]);
  expect((await get('/v1/region/altersstruktur', { ebene: 'plz', region: '8' })).meta).not.toHaveProperty('regionen');
});

describe('hinweise', () => {
  const hints = async (query: Record<string, string>, path = '/v1/units') =>
    ((await get(path, query)).meta.hinweise ?? []).map(
      ({ parameter, wert, hinweis, vorschlag }: Record<string, string>) => {
        // What is meant stands in the sentence for people, and alone for programs.
        expect(/did you mean "(.*)"\?$/.exec(hinweis!)?.[1]).toBe(vorschlag);
        return [parameter, wert, vorschlag ?? hinweis].join(' → ');
      },
    );

  test.each([
    [{ bundesland: 'bayern' }, ['bundesland → bayern → Bayern']],
    [
      { bundesland: 'Bayern,hesen' },
      ['bundesland → hesen → No unit has the bundesland "hesen"; GET /v1/reference/bundesland lists the values'],
    ],
    [{ betriebsStatus: 'in betrieb' }, ['betriebsStatus → in betrieb → In Betrieb']],
    [{ landkreis: 'Landkreis Neustad' }, ['landkreis → Landkreis Neustad → Landkreis Neustadt']],
    [{ landkreis: 'Landkreis Neustadt, Hessen' }, ['landkreis → Landkreis Neustadt, Hessen → Landkreis Neustadt']],
    [
      { landkreis: '99999' },
      [
        'landkreis → 99999 → No unit has the official key 99999; GET /v1/reference/landkreis?q=… finds places by name or key',
      ],
    ],
    [{ gemeinde: '09575' }, ['gemeinde → 09575 → The official key of a gemeinde has 8 digits']],
    [
      { landkreis: 'Landkreis Neustadt,Aurich' },
      [
        'landkreis → Landkreis Neustadt,Aurich → No unit has the landkreis "Landkreis Neustadt,Aurich": it takes one place, so ask once for each',
      ],
    ],
    [
      { gemeinde: '09575111, 09575112' },
      [
        'gemeinde → 09575111, 09575112 → No unit has the gemeinde "09575111, 09575112": it takes one place, so ask once for each',
      ],
    ],
    [
      { landkreis: 'Landkreis Neustadt;Aurich' },
      [
        'landkreis → Landkreis Neustadt;Aurich → No unit has the landkreis "Landkreis Neustadt;Aurich": it takes one place, so ask once for each',
      ],
    ],
    [{ plz: '00' }, ['plz → 00 → No unit has a plz that begins with "00"']],
    [{ bundesland: 'bayern', gemeinde: 'Neustat' }, ['bundesland → bayern → Bayern', 'gemeinde → Neustat → Neustadt']],
  ])('%o', async (query, expected) => {
    expect(await hints(query)).toEqual(expected);
    expect(await hints({ groupBy: 'plz', ...query }, '/v1/aggregations')).toEqual(expected);
  });

  test.each([
    [{ bundesland: 'Bayern' }],
    [{ bundesland: 'Bayern', einheitTyp: 'nuclear' }],
    [{ suche: 'gibt es nicht' }],
    [{ mastrNummern: 'SEE999999999999' }],
  ])('nothing to say about %o', async (query) => {
    expect((await get('/v1/units', query)).meta).not.toHaveProperty('hinweise');
  });

  test('regions name their own parameter', async () => {
    for (const analysis of ['zeitreihe', 'altersstruktur', 'momentaufnahme']) {
      const asked = { ebene: 'bundesland', region: 'bayern' };
      expect(await hints(asked, `/v1/region/${analysis}`)).toEqual(['region → bayern → Bayern']);
      for (const [ebene, region, what] of [
        ['bundesland', 'Bayern,Hessen', 'No unit has the bundesland "Bayern,Hessen"'],
        ['bundesland', 'Bayern;Hessen', 'No unit has the bundesland "Bayern;Hessen"'],
        ['plz', '24116,76646', 'No unit has a plz that begins with "24116,76646"'],
      ] as const) {
        const several = `region → ${region} → ${what}: a comma is part of a name, so send region once for each place`;
        expect(await hints({ ebene, region }, `/v1/region/${analysis}`)).toEqual([several]);
      }
    }
  });

  test('a list with many unknown values is answered with a few of them', async () => {
    const unknown = Array.from({ length: 400 }, (_, number) => `Land ${number}`).join(',');
    expect(await hints({ bundesland: unknown })).toHaveLength(5);
  });

  test('a saved filter is executed and not read: nothing of it is repeated', async () => {
    const organisation = await makeOrganisation(service.store);
    const { text } = await makeKey(service.store, organisation);
    const { id } = await saveFilter(service.store, organisation.id, { criteria: { bundesland: ['bayern'] } });
    const { meta } = (await service.get(`/v1/units?savedFilterId=${id}`, withKey(text))).json;
    expect(meta.page.total).toBe(0);
    expect(meta).not.toHaveProperty('hinweise');
  });
});

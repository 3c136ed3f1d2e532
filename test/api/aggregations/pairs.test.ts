import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIMENSIONS } from '../../../sql/query/dimensions.ts';
import { drawn } from '../../support/cases.ts';
import { withoutPerPlace } from '../../support/per-place.ts';
import { expectProblem } from '../../support/requests.ts';
import { pairs } from './naive.ts';
import { type Sample, servedSample } from './served-sample.ts';

/** Aggregations by two dimensions over the sample, compared with counts in plain code. */

let sample: Sample;
beforeAll(async () => {
  sample = await servedSample();
});
afterAll(() => sample?.stop());

const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  sample.service.get(`/v1/aggregations?${new URLSearchParams(query)}`, headers);

const answer = async (query: Record<string, string>) => {
  const response = await get(query);
  expect(response.status, response.text).toBe(200);
  return response.json;
};

/** Thousands of groups are compared sooner as lines. */
const lines = ({ groups, teilsummen, ...others }: ReturnType<typeof pairs>) => ({
  ...others,
  groups: groups.map(line),
  erste: teilsummen.erste.map(line),
  zweite: teilsummen.zweite.map(line),
});

const line = (group: object): string =>
  JSON.stringify(group, (_, value) =>
    typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

const NAMES = DIMENSIONS.map(({ name }) => name);
const PAIRS = NAMES.flatMap((one) => NAMES.filter((two) => two !== one).map((two) => [one, two] as const));

/** Each form of key once: values, places, classes, years, sets of carriers, and masks on either side. */
const FIXED = [
  ['leistungsklasse', 'einheitTyp'],
  ['einheitTyp', 'inbetriebnahmejahr'],
  ['landkreis', 'einheitTyp'],
  ['bundesland', 'gemeinde'],
  ['gemeinde', 'landkreis'],
  ['signals', 'auffaelligkeit'],
  ['auffaelligkeit', 'landkreis'],
  ['windHersteller', 'standortEnergietraeger'],
] as const;

test.each([...FIXED, ...drawn(PAIRS, 12)])('every unit counts in its pair, by %s and %s', async (one, two) => {
  const expected = pairs(sample.units, [one, two], sample.placeOfUnit);
  const query = { groupBy: `${one},${two}` };
  if (expected.groups.length > 10_000) return expectProblem(await get(query), 400, 'TOO_MANY_GROUPS');
  const { data, meta } = await answer(query);
  expect(lines(data)).toEqual(lines(expected));
  expect(meta.truncated).toBe(false);
});

test('with filters', async () => {
  const chosen = sample.units.filter(
    ({ einheitTyp, nettonennleistungKw }) => einheitTyp === 'solar' && Number(nettonennleistungKw ?? -1) >= 10,
  );
  expect(chosen.length).toBeGreaterThan(100);
  const filter = { einheitTyp: 'solar', nettonennleistungMinKw: '10' };
  for (const [one, two] of drawn(PAIRS, 6, 1)) {
    const { data } = await answer({ groupBy: `${one},${two}`, ...filter });
    expect(lines(data)).toEqual(lines(pairs(chosen, [one, two], sample.placeOfUnit)));
  }
});

test('sub-totals are the groups of one dimension, and totals the same, also with days and without conspicuous units', async () => {
  const asked = { bestandAm: '2010-12-31,2023-12-31', auffaellige: 'ohne', leistungMinKw: '5' };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PAIRS), async ([one, two]) => {
      const both = await answer({ groupBy: `${one},${two}`, ...asked });
      const [first, second] = await Promise.all(
        [one, two].map((groupBy) => answer({ groupBy, ...asked, kennzahlen: 'anteile,nettonennleistungKw' })),
      );
      const { data } = withoutPerPlace(both);
      for (const [name, alone] of [
        ['erste', first],
        ['zweite', second],
      ] as const) {
        const groups = withoutPerPlace(alone).data.groups;
        expect(data.teilsummen[name].slice(0, 1000)).toEqual(groups);
        expect(data.totals).toEqual(alone.data.totals);
      }
    }),
    { numRuns: 6, seed: 1 },
  );
});

describe('as a table', () => {
  test('long: a row for each pair', async () => {
    const { text } = await get({ groupBy: 'landkreis,einheitTyp', format: 'csv', bundesland: 'Hessen' });
    const [head, ...rows] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'key,zweite.key,count,bruttoleistungKw,durchschnittsleistungKw,schluessel,name,bundesland,speicherkapazitaetKwh,nettonennleistungKw,anteile.anzahl,anteile.bruttoleistung,anteile.anzahlInErster,anteile.bruttoleistungInErster',
    );
    const { data } = await answer({ groupBy: 'landkreis,einheitTyp', bundesland: 'Hessen' });
    expect(rows).toHaveLength(data.groups.length);
  });

  test('wide: a row for each value of the first, columns for each of the second, and sub-totals', async () => {
    const query = { groupBy: 'leistungsklasse,einheitTyp' };
    const { text } = await get({ ...query, format: 'csv', anordnung: 'breit' });
    const [head = '', ...rows] = text.trimEnd().split('\r\n');
    const { data } = await answer(query);
    const { erste, zweite } = data.teilsummen;
    expect(rows.map((row) => row.split(',')[0])).toEqual(erste.map(({ key }: { key: string | null }) => key ?? ''));
    const columns = head.split(',');
    expect(columns).toHaveLength(1 + 4 * (1 + zweite.length));
    for (const { key, zweite: other, count, bruttoleistungKw } of data.groups) {
      const cells = rows.find((row) => row.startsWith(`${key ?? ''},`))!.split(',');
      expect(Number(cells[columns.indexOf(`${other.key}.count`)])).toBe(count);
      expect(Number(cells[columns.indexOf(`${other.key}.bruttoleistungKw`)])).toBe(bruttoleistungKw);
    }
    for (const { key, count } of erste) {
      expect(Number(rows.find((row) => row.startsWith(`${key ?? ''},`))!.split(',')[1])).toBe(count);
    }
  });

  test('a wide table of nearly empty cells is refused, the same pairs as a long one are there', async () => {
    const query = { groupBy: 'gemeinde,plz', bundesland: 'Bayern', format: 'csv' };
    const response = await get({ ...query, anordnung: 'breit' });
    expectProblem(response, 400, 'TOO_MANY_GROUPS');
    expect(response.json.detail).toMatch(/would have [\d,]+ cells: ask for parts of them by a filter/);
    expect((await get(query)).status).toBe(200);
  });

  test.each([
    [{ groupBy: 'plz,einheitTyp', anordnung: 'breit' }, 'INVALID_PARAMETER', 'only for format=csv'],
    [{ groupBy: 'plz', anordnung: 'breit', format: 'csv' }, 'FILTER_CONFLICT', 'two dimensions'],
    [
      { groupBy: 'plz,einheitTyp', anordnung: 'breit', format: 'csv', bestandAm: '2020-01-01' },
      'FILTER_CONFLICT',
      'take anordnung=lang',
    ],
  ] as const)('%j is refused', async (query, code, detail) => {
    const response = await get(query);
    expectProblem(response, 400, code);
    expect(response.json.detail).toContain(detail);
  });
});

test('more pairs than an answer has are refused, with their number and what to do', async () => {
  const query = { groupBy: 'gemeinde,inbetriebnahmejahr' };
  const pairsOfSample = pairs(sample.units, ['gemeinde', 'inbetriebnahmejahr'], sample.placeOfUnit).groups.length;
  expect(pairsOfSample).toBeGreaterThan(10_000);
  const response = await get(query);
  expectProblem(response, 400, 'TOO_MANY_GROUPS');
  expect(response.json.detail).toContain(`${pairsOfSample.toLocaleString('en')} groups`);
  expect(response.json.detail).toContain('by a filter');
  expect((await get({ ...query, bundesland: 'Bayern' })).status).toBe(200);
});

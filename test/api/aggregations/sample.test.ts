import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONSPICUOUS } from '../../../sql/catalogue/anomalies.ts';
import { DIMENSIONS } from '../../../sql/query/dimensions.ts';
import { REFERENCE_SETS } from '../../../sql/query/reference-sets.ts';
import { withTables } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';
import { withoutPerPlace } from '../../support/per-place.ts';
import { searchedName } from '../../support/places.ts';
import type { Subject } from '../../support/service.ts';
import { grouped, total, type Unit } from './naive.ts';
import { type Sample, servedSample } from './served-sample.ts';

/** Aggregations and reference values over the sample, compared with counts in plain code. */

let sample: Sample;
let units: readonly Unit[];
let service: Subject;
let places: Sample['places'];
let placeOfUnit: Sample['placeOfUnit'];

beforeAll(async () => {
  sample = await servedSample();
  ({ units, service, places, placeOfUnit } = sample);
});
afterAll(() => sample?.stop());

const aggregation = async (query: Record<string, string>) => {
  const response = await service.get(`/v1/aggregations?${new URLSearchParams(query)}`);
  expect(response.status, response.text).toBe(200);
  return withoutPerPlace(response.json);
};

const isConspicuous = ({ auffaelligkeiten }: Unit): boolean => Number(auffaelligkeiten ?? 0) >= CONSPICUOUS;

/** Counts units by a dimension. */
const byDimension = (chosen: readonly Unit[], dimension: string) => {
  const groups = grouped(chosen, dimension, placeOfUnit.get(dimension) ?? null);
  const { count, bruttoleistungKw } = total(chosen.filter(isConspicuous));
  return {
    data: { groupBy: dimension, groups: groups.slice(0, 1000), totals: total(chosen) },
    meta: { truncated: groups.length > 1000, auffaellig: { count, bruttoleistungKw } },
  };
};

test.each(DIMENSIONS.map(({ name }) => name))('without a filter, by %s: the counts of the build', async (name) => {
  expect(await aggregation({ groupBy: name })).toEqual(byDimension(units, name));
});

/** A filter made from the values of an existing unit, and the same in plain code. */
interface FilterPair {
  readonly query: Readonly<Record<string, string>>;
  readonly holds: (unit: Unit) => boolean;
}

const quoted = (value: unknown): string => `"${String(value).replaceAll('"', '""')}"`;

const exact =
  (name: string) =>
  (unit: Unit): FilterPair | null =>
    unit[name] === null
      ? null
      : { query: { [name]: quoted(unit[name]) }, holds: (other) => other[name] === unit[name] };

const bound =
  (filter: string, name: string, holds: (value: number, limit: number) => boolean) =>
  (unit: Unit): FilterPair | null =>
    unit[name] === null
      ? null
      : {
          query: { [filter]: String(unit[name]) },
          holds: (other) => other[name] !== null && holds(Number(other[name]), Number(unit[name])),
        };

const PAIR_MAKERS: ((unit: Unit) => FilterPair | null)[] = [
  ...['einheitTyp', 'bundesland', 'betriebsStatus', 'spannungsebene', 'solarLage', 'windHersteller'].map(exact),
  ...['energietraeger', 'netzbetreiber', 'hauptbrennstoff', 'einspeisungsart'].map(exact),
  bound('leistungMinKw', 'bruttoleistungKw', (value, limit) => value >= limit),
  bound('leistungMaxKw', 'bruttoleistungKw', (value, limit) => value <= limit),
  (unit) =>
    unit.plz === null
      ? null
      : {
          query: { plz: String(unit.plz).slice(0, 2) },
          holds: (other) => other.plz !== null && String(other.plz).startsWith(String(unit.plz).slice(0, 2)),
        },
  (unit) =>
    unit.inbetriebnahmedatum === null
      ? null
      : {
          query: { inbetriebnahmeVon: String(unit.inbetriebnahmedatum) },
          holds: (other) => String(other.inbetriebnahmedatum ?? '') >= String(unit.inbetriebnahmedatum),
        },
  () => ({ query: { hatKoordinaten: 'true' }, holds: (other) => other.latitude !== null }),
  () => ({ query: { hatKoordinaten: 'false' }, holds: (other) => other.latitude === null }),
];

test('with filters: the groups of plain code, and the totals of the list', async () => {
  const choices = fc.tuple(
    fc.constantFrom(...DIMENSIONS.map(({ name }) => name)),
    fc.nat(units.length - 1),
    fc.subarray(PAIR_MAKERS, { minLength: 1, maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(choices, async ([dimension, index, makers]) => {
      const pairs = makers.map((make) => make(units[index]!)).filter((pair) => pair !== null);
      const query: Record<string, string> = Object.assign({}, ...pairs.map((pair) => pair.query));
      // The later of two values for the same filter counts.
      const counting = pairs.filter((pair) =>
        Object.entries(pair.query).every(([name, value]) => query[name] === value),
      );
      const chosen = units.filter((unit) => counting.every(({ holds }) => holds(unit)));
      expect(await aggregation({ groupBy: dimension, ...query })).toEqual(byDimension(chosen, dimension));
      const list = await service.get(`/v1/units?${new URLSearchParams({ limit: '1', ...query })}`);
      expect(list.json.meta.page.total).toBe(chosen.length);
    }),
    { numRuns: cases(20) },
  );
});

/** Folds a text like the search: without case and diacritics. */
const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/** The values that units have in a field of the sample, with their number. */
function naiveValues(name: string, carrier: string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const unit of units) {
    const value = unit[name];
    if (value === null || value === undefined || (carrier !== null && unit.einheitTyp !== carrier)) continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return counts;
}

const stored = [...REFERENCE_SETS.values()].filter(({ field }) => field.source !== null && field.read === null);

test.each(stored.filter(({ kind }) => kind === 'enumerable').map(({ name }) => name))(
  'all values of %s',
  async (name) => {
    const { field } = REFERENCE_SETS.get(name)!;
    for (const carrier of [null, 'wind', 'solar', 'storage']) {
      const { json } = await service.get(`/v1/reference/${name}${carrier === null ? '' : `?einheitTyp=${carrier}`}`);
      const seen = json.data.map(({ value, count }: { value: string; count: number }) => [value, count]);
      expect(new Map(seen)).toEqual(naiveValues(field.name, carrier));
    }
  },
);

test('a search finds the values that contain the text: first those that begin with it, then by frequency', async () => {
  const sets = stored.filter(({ kind, places }) => kind === 'searchable' && places === null).map(({ name }) => name);
  const part = fc.tuple(fc.constantFrom(...sets), fc.nat(), fc.nat(3), fc.integer({ min: 1, max: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(part, async ([name, which, from, length, loud]) => {
      const { field } = REFERENCE_SETS.get(name)!;
      const counts = naiveValues(field.name, null);
      const value = [...counts.keys()][which % Math.max(1, counts.size)] ?? 'x';
      const text = value.slice(from, from + length).trim() || value;
      const searched = loud ? text.toUpperCase() : text;
      const matching = [...counts].filter(([candidate]) => folded(candidate).includes(folded(searched)));
      const expected = matching.sort(
        ([a, countA], [b, countB]) =>
          Number(folded(b).startsWith(folded(searched))) - Number(folded(a).startsWith(folded(searched))) ||
          countB - countA ||
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
      const response = await service.get(`/v1/reference/${name}?${new URLSearchParams({ q: searched, limit: '7' })}`);
      expect(response.json.data).toEqual(expected.slice(0, 7).map(([found, count]) => ({ value: found, count })));
    }),
    { numRuns: cases(20) },
  );
});

test.each(['landkreis', 'gemeinde'])(
  'the places of %s, found by name or key, with the number of their units',
  async (set) => {
    const all = places.get(set)!;
    const texts = [
      'neu',
      'HOF',
      'münch',
      '09',
      '0918',
      'rosenheim',
      ...all.slice(0, 20).map(({ wert }) => String(wert)),
    ];
    for (const q of texts) {
      const matching = all.filter((place) => searchedName(place).includes(folded(q)) || place.schluessel?.includes(q));
      const response = await service.get(`/v1/reference/${set}?${new URLSearchParams({ q, limit: '100' })}`);
      const expected = new Map(
        matching.map(({ wert, schluessel, name, bundesland, units: members }) => [
          wert,
          { value: wert, count: members.length, schluessel, name, bundesland },
        ]),
      );
      expect(response.json.meta.count, q).toBe(Math.min(100, expected.size));
      for (const value of response.json.data) expect(value).toEqual(expected.get(value.value));
    }
  },
);

test.each(['landkreis', 'gemeinde'])(
  'the key of each group of %s is a filter for exactly its units',
  async (groupBy) => {
    const { data } = await aggregation({ groupBy });
    type Place = { key: string; name: string; count: number; schluessel: string };
    const groups: Place[] = data.groups.filter(({ key }: Place) => key !== null);
    // Names that several places share are where a filter could find too much.
    const shared = groups.filter(({ key, name }) => key !== name);
    expect(shared.length).toBeGreaterThan(10);
    for (const { key, count, schluessel } of [...shared.slice(0, 50), ...groups.slice(0, 30)]) {
      for (const spelling of new Set([key, schluessel])) {
        const list = await service.get(
          `/v1/units?${new URLSearchParams({ limit: '1', fields: 'name', [groupBy]: spelling })}`,
        );
        expect(list.json.meta.page.total, spelling).toBe(count);
      }
    }
  },
);

test('no count and no value reveals what the answer of a unit hides', async () => {
  const small = await aggregation({ groupBy: 'einheitTyp', hatKoordinaten: 'true', leistungMaxKw: '29.999' });
  expect(small.data.totals.count).toBe(0);
  const names = await withTables(sample.path, (tables) =>
    tables<{ wert: string; organisation: boolean }>(
      `SELECT wert, wert IN (SELECT name FROM marktakteure) AS organisation FROM referenzwerte WHERE filter = 'betreiber'`,
    ),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ organisation }) => !organisation)).toEqual([]);
});

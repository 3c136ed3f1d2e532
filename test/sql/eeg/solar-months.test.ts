import { afterAll, beforeAll, expect, test } from 'vitest';
import { bandsOn, meanRate } from './oracle.ts';
import { FULL, HOUSEHOLD, LAGE, PART, type Plant, roof, type Support, supportRules } from './plants.ts';

/**
 * Solar on the days around every month boundary from 2000 to 2027: the engine against a loop over the bands. The oracle
 * decides by itself which rows hold, who needs an award and who has a fixed tariff.
 */

const DAY = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day before the first of a month, the first, and the day after it. */
const BOUNDARIES = Array.from({ length: 28 * 12 }, (_, month) => Date.UTC(2000, month, 1))
  .flatMap((first) => [first - DAY, first, first + DAY])
  .map(dayOf)
  .concat(['2022-07-29', '2022-07-30', '2022-07-31'])
  .filter((day) => day >= '2000-01-01');

const POWERS = [0.8, 9.999, 25, 99.9, 100, 100.001, 301, 749.5, 750.001, 4200];

const KINDS: readonly Plant[] = [
  { lageId: LAGE.roof, einspeisungsartId: PART },
  { lageId: LAGE.roof, einspeisungsartId: FULL },
  { lageId: LAGE.plugIn, einspeisungsartId: null },
  { lageId: LAGE.ground, einspeisungsartId: FULL },
  { lageId: LAGE.other, einspeisungsartId: PART },
];

const PLANTS = BOUNDARIES.flatMap((day) =>
  KINDS.flatMap((kind) => POWERS.map((kw) => ({ kw, day, kind, plant: roof(kw, day, kind) }))),
);

function expected(kw: number, day: string, { lageId, einspeisungsartId }: Plant) {
  const ruleDay = day < '2000-04-01' ? '2000-04-01' : day;
  const building = lageId === LAGE.roof || lageId === LAGE.plugIn;
  const tenderAbove =
    lageId === LAGE.ground && day >= '2015-09-01' && day < '2017-01-01'
      ? 0
      : day >= '2023-01-01'
        ? 1000
        : day >= '2017-01-01'
          ? 750
          : Number.POSITIVE_INFINITY;
  if (kw > tenderAbove) return { tariff: null, value: null };
  const full = building && einspeisungsartId === FULL && day >= '2022-07-30' && kw <= (day < '2023-01-01' ? 300 : 1000);
  const name = building
    ? `${full ? 'volleinspeisung' : 'grund'}/gebaeude`
    : `grund/${day < '2015-09-01' ? 'freiflaeche' : 'sonstige'}`;
  const bands = bandsOn(`solar/${name}`, ruleDay);
  const tariff = meanRate(bands, kw, 'tariff');
  if (ruleDay < '2014-08-01') {
    return { tariff, value: tariff === null ? null : Math.round(tariff * 100 + 40) / 100 };
  }
  const limit = day < '2016-01-01' ? 500 : 100;
  return { tariff: kw <= limit ? tariff : null, value: meanRate(bands, kw, 'value') };
}

let rules: Awaited<ReturnType<typeof supportRules>>;

beforeAll(async () => {
  rules = await supportRules();
});

afterAll(() => rules.close());

// Support of twenty years has not ended on the last of these days.
test.each([
  ['2000-01-01', '2014-08-01', '2020-12-31'],
  ['2014-08-01', '2028-01-01', '2028-01-01'],
])('from %s to before %s', async (from, before, today) => {
  const plants = PLANTS.filter(({ day }) => day >= from && day < before);
  const support = await rules.supportOf(
    plants.map(({ plant }) => plant),
    today,
  );
  const differences = plants.flatMap(({ kw, day, kind }, index) => {
    const { verguetung, anzulegenderWert }: Support = support[index]!;
    const { tariff, value } = expected(kw, day, kind);
    return verguetung === tariff && anzulegenderWert === value
      ? []
      : [{ kw, day, ...kind, verguetung, tariff, anzulegenderWert, value }];
  });
  expect(differences.slice(0, 5)).toEqual([]);
  expect(support.filter(({ anzulegenderWert }) => anzulegenderWert !== null).length).toBeGreaterThan(plants.length / 3);
});

test('a rate holds from the first of its days to the last', async () => {
  const [last, first] = await rules.supportOf(
    ['2027-01-31', '2027-02-01'].map((day) => roof(5, day, { nutzungsbereichId: HOUSEHOLD })),
    '2028-01-01',
  );
  expect(last).toMatchObject({ verguetung: 7.7, anzulegenderWert: 8.1, ableitbarkeit: 'exakt' });
  expect(first).toMatchObject({ verguetung: null, ableitbarkeit: 'nicht_ableitbar', gruende: ['keine_rate'] });
});

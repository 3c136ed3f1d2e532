import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readPage } from '../../../api/units/read.ts';
import type { Dataset } from '../../../api/warehouse/warehouse.ts';
import { fieldNamed, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import type { KeyValue, SortKey } from '../../../sql/query/keyset.ts';
import { cases } from '../../support/cases.ts';
import { openSample, type SampleVersion } from '../../support/sample-version.ts';

/** Lists of units are the same with the orders of a version, and by statements, which versions without them need. */

let sample: SampleVersion;
let byOrders: Dataset;
let byStatements: Dataset;
let units: readonly z.infer<typeof unitRow>[];

const unitRow = z.strictObject({
  einheitTyp: z.string(),
  bundesland: z.string().nullable(),
  betriebsStatus: z.string().nullable(),
  plz: z.string().nullable(),
  kw: z.number().nullable(),
  tag: z.string().nullable(),
});

beforeAll(async () => {
  sample = await openSample('orders');
  const { publication } = sample;
  const reader = sample.version.reader({ operation: 'test', request: null, trace: null });
  byOrders = { ...reader, publication, publications: [], lineage: new Map() as never, erased: [], release() {} };
  byStatements = { ...byOrders, orders: null };
  units = await reader.query(unitRow, {
    text: `SELECT einheitTyp, bundesland, betriebsStatus, plz, CAST(bruttoleistungKw AS DOUBLE) AS kw,
        CAST(inbetriebnahmedatum AS VARCHAR) AS tag FROM units`,
    values: {},
  });
});
afterAll(() => sample?.close());

/** Conditions made of the values of a unit; where it has none, of those that no unit has. */
const condition = (name: string, value: Condition['value']): Condition => ({ ...UNIT_FILTERS.get(name)!, value });

const CONDITIONS: readonly ((unit: z.infer<typeof unitRow>) => Condition)[] = [
  ({ einheitTyp }) => condition('einheitTyp', [einheitTyp, 'wind']),
  ({ bundesland }) => condition('bundesland', [bundesland ?? 'Nirgendwo']),
  ({ betriebsStatus }) => condition('betriebsStatus', [betriebsStatus ?? 'keiner']),
  ({ plz }) => condition('plz', plz?.slice(0, 1) ?? 'x'),
  ({ plz }) => condition('plz', plz?.slice(0, 2) ?? 'xy'),
  ({ plz }) => condition('plz', plz?.slice(0, 3) ?? 'xyz'),
  ({ kw }) => condition('leistungMinKw', kw ?? 1e6),
  ({ kw }) => condition('leistungMinKw', (kw ?? 1) + 0.0004),
  ({ kw }) => condition('leistungMaxKw', (kw ?? 1) - 0.0004),
  ({ tag }) => condition('inbetriebnahmeVon', tag ?? '2030-01-01'),
  ({ tag }) => condition('inbetriebnahmeBis', tag ?? '1950-01-01'),
  ({ tag }) => condition('registrierungVon', tag ?? '2020-01-01'),
];

const conditions = fc
  .tuple(fc.nat(), fc.subarray([...CONDITIONS.keys()], { maxLength: 3 }))
  .map(([index, chosen]) => chosen.map((at) => CONDITIONS[at]!(units[index % units.length]!)))
  // A filter is given once.
  .filter((all) => new Set(all.map(({ filter }) => filter.name)).size === all.length);

const NUMBER = fieldNamed('mastrNummer');
const direction = fc.constantFrom<SortKey['direction']>('asc', 'desc');
const sort = fc
  .tuple(
    fc.constantFrom(
      'mastrNummer',
      'bruttoleistungKw',
      'inbetriebnahmedatum',
      'registrierungsdatum',
      'geplantesInbetriebnahmedatum',
    ),
    direction,
    fc.oneof({ weight: 4, arbitrary: fc.constant('asc' as const) }, direction),
  )
  .map(([name, direction, then]): SortKey[] =>
    name === 'mastrNummer'
      ? [{ field: NUMBER, direction }]
      : [
          { field: fieldNamed(name), direction },
          { field: NUMBER, direction: then },
        ],
  );

/** Reads the first pages of a list, and some from a row that is not there. */
async function readList(dataset: Dataset, conditions: readonly Condition[], sort: readonly SortKey[], limit: number) {
  const pages = [];
  const request = { conditions, sort, limit, today: '2026-11-01' };
  let after: KeyValue[] | null = null;
  let total: number | null = null;
  for (let page = 0; page < 4; page++) {
    const read = await readPage(dataset, { ...request, after, delivered: page * limit, total }, [NUMBER]);
    pages.push({ numbers: read.rows.map(({ mastrNummer }) => mastrNummer), total: read.total });
    const last = read.rows.at(-1);
    if (last === undefined) break;
    total = read.total;
    after = sort.map(({ field }) => last[field.name] as KeyValue);
    // A unit that a later version no longer has.
    if (page === 2) after = after.map((value, key) => (sort[key]!.field === NUMBER ? 'SEE950000000000' : value));
  }
  return pages;
}

test('for any conditions, orders and pages', async () => {
  let withoutStatement = 0;
  await fc.assert(
    fc.asyncProperty(conditions, sort, fc.integer({ min: 1, max: 60 }), async (asked, order, limit) => {
      const before = sample.statements();
      const pages = await readList(byOrders, asked, order, limit);
      if (sample.statements() === before) withoutStatement++;
      expect(pages).toEqual(await readList(byStatements, asked, order, limit));
    }),
    { numRuns: cases(150) },
  );
  expect(withoutStatement).toBeGreaterThan(cases(150) / 8);
});

test('the usual questions need no statement', async () => {
  const before = sample.statements();
  for (const asked of [[], [condition('einheitTyp', ['solar'])], [condition('plz', '1')]]) {
    for (const name of ['bruttoleistungKw', 'inbetriebnahmedatum', 'registrierungsdatum']) {
      const order: SortKey[] = [
        { field: fieldNamed(name), direction: 'desc' },
        { field: NUMBER, direction: 'asc' },
      ];
      expect((await readList(byOrders, asked, order, 50))[0]?.numbers).toHaveLength(50);
    }
    await readList(byOrders, asked, [{ field: NUMBER, direction: 'asc' }], 50);
  }
  await readList(byOrders, [condition('leistungMinKw', 5)], [{ field: NUMBER, direction: 'asc' }], 0);
  expect(sample.statements()).toBe(before);
});

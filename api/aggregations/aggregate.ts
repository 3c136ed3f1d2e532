import { z } from 'zod';
import { bitsOf, DIMENSION_NAMES, type Dimension, dimensionNamed } from '../../sql/query/dimensions.ts';
import { type Group, groupRow, groupStatement } from '../../sql/query/groups.ts';
import { listLevel } from '../../sql/query/per-place.ts';
import { placeMembers } from '../../sql/query/places.ts';
import { mustHaveModule } from '../access/rights.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { listOf, listShape } from '../places/list.ts';
import { perPlaceOf, perPlaceShape } from '../places/per-place.ts';
import { conspicuousAmong, conspicuousParameter, conspicuousShape, NOT_CONSPICUOUS } from '../quality/conspicuous.ts';
import { momentOf, mustHoldAt, standParameter } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, listParameter, oneWord } from '../wire/parameters.ts';

/** Most groups of one answer. */
const MAX_GROUPS = 1000;

/** Most days whose stock an answer has: those of a map that plays from 1990 on, with room for two decades. */
const MAX_STOCK_DAYS = 60;

const query = z
  .strictObject({
    groupBy: oneWord(DIMENSION_NAMES).describe('What the units are counted by'),
    bestandAm: listParameter({ most: MAX_STOCK_DAYS })
      .refine((days) => days.every((day) => z.iso.date().safeParse(day).success), 'must be calendar days YYYY-MM-DD')
      .optional()
      .describe('Days at whose end the stock of each group is counted'),
    stand: standParameter(queryNotation),
    ...conspicuousParameter,
    ...portfolioShape(queryNotation),
    ...unitFilterShape(queryNotation),
  })
  .superRefine(rangesAreOrdered, always);

const energy = z
  .number()
  .nullable()
  .describe(
    'Usable capacity of storage (kWh): the sum of speicherkapazitaetAnteilKwh, so that each plant counts once; null where an earlier release built the version',
  );

const groupFigures = {
  key: z.string().nullable().describe('Value of the dimension; null: the units without one'),
  count: z.int().describe('Units'),
  bruttoleistungKw: z.number().describe('Sum of the gross capacity (kW); unknown capacity adds nothing'),
  durchschnittsleistungKw: z
    .number()
    .nullable()
    .describe('Mean over the units whose capacity is known (kW); null where there is none'),
};

const figuresOfDays = (item: z.ZodType, meaning: string) =>
  z.array(item).describe(`${meaning}, one for each day of meta.bestandAm`);

const stockShape = z
  .strictObject({
    anzahl: figuresOfDays(z.int(), 'Units'),
    bruttoleistungKw: figuresOfDays(z.number(), 'Sum of their gross capacity (kW)'),
    speicherkapazitaetKwh: figuresOfDays(z.number().nullable(), 'Usable capacity of storage (kWh)'),
  })
  .describe('With bestandAm: units that were commissioned by the end of a day, and not decommissioned for good');

/** Only groups that are places have the members of a place. */
const group = z.strictObject({
  ...groupFigures,
  ...placeMembers,
  speicherkapazitaetKwh: energy,
  ...z.strictObject(perPlaceShape).partial().shape,
  bestand: stockShape.optional(),
});

const COLUMNS = Object.keys(group.shape).filter((name) => name !== 'bestand');

const STOCK_COLUMNS = Object.keys(stockShape.shape).map((name) => `bestand.${name}`);

/** The columns of a dimension: a state is its name. */
const columnsOf = ({ name, places }: Dimension, withStock: boolean): string[] => [
  ...COLUMNS.filter((column) =>
    column in placeMembers ? places !== null : !(column in perPlaceShape) || places !== null || name === 'bundesland',
  ),
  ...(withStock ? STOCK_COLUMNS : []),
];

/** Units counted in groups, for organisations without module analysis too. */
export const aggregate = reusableOperation({
  id: 'aggregations.show',
  method: 'GET',
  path: '/v1/aggregations',
  summary: 'Units counted in groups',
  description: [
    'Groups come by count, descending, then by key; units without a value of the dimension are a group of their own,',
    `with \`key\` null. Where there are more than ${MAX_GROUPS.toLocaleString('en')} groups, the first of them come and \`meta.truncated\` is true;`,
    '`totals` are those of all units that meet the filters, also of groups that were cut off. With `groupBy=signals` and',
    '`groupBy=auffaelligkeit` a unit counts in each of its signals, or rules, and once in the totals, and there is no group without a value. Classes of',
    '`leistungsklasse` are in kW and include their lower bound. Groups of `landkreis` and `gemeinde` are places: `key` is',
    'the shortest spelling that covers the place and nothing else, which the filter of that name takes, and `schluessel`,',
    '`name` and `bundesland` stand beside it. Units whose place no spelling covers alone count as units without one.',
    'These groups, and those of `bundesland`, have inhabitants and area of the official list, and figures by both.',
    'With `bestandAm` each group also has what stood there at the end of these days.',
  ].join(' '),
  access: 'api',
  shared: true,
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: z
      .strictObject({
        groupBy: z.string(),
        groups: z.array(group),
        totals: z.strictObject({ count: z.int(), bruttoleistungKw: z.number(), speicherkapazitaetKwh: energy }),
      })
      .meta({ id: 'Aggregation' }),
    meta: z.strictObject({
      truncated: z.boolean().describe('Whether there are more groups'),
      bestandAm: z.array(z.iso.date()).optional().describe('With bestandAm: its days, in their order'),
      bezug: listShape.optional().describe('With groups that are places: what their inhabitants and areas rest on'),
      ...conspicuousShape,
      ...hintsShape,
    }),
  }),
  table: 'data.groups',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'groupBy=bundesland&einheitTyp=wind&betriebsStatus=In Betrieb' },
  async question({ query: { groupBy, bestandAm = [], stand, auffaellige, ...filters }, caller, records, service }) {
    const dimension = dimensionNamed(groupBy);
    const { name, field } = dimension;
    const conditions = await resolveConditions(filters, { caller, records, service });
    if (field?.module != null) mustHaveModule(caller, field.module, `The dimension ${name}`);
    const bits = bitsOf(dimension) ?? [];
    const ids = name === 'signals' ? [...caller.organisation.signals].sort() : bits.map(({ id }) => id);
    mustHoldAt(stand, conditions, queryNotation);
    return { groupBy, bestandAm, stand, auffaellige, conditions: asked(conditions), ids };
  },
  async reply({ question: { groupBy, bestandAm, stand, auffaellige, ids, ...question }, ...call }) {
    const dimension = dimensionNamed(groupBy);
    const conditions = conditionsOf(question.conditions);
    const { version, today } = await momentOf(stand, call);
    const request = await withUnitsFound(version, {
      dimension,
      conditions,
      ids,
      limit: MAX_GROUPS + 1,
      stockDays: bestandAm,
      today,
    });
    const counted =
      auffaellige === 'mit' ? request : { ...request, conditions: [...request.conditions, NOT_CONSPICUOUS] };
    const [rows, conspicuous] = await Promise.all([
      version.query(groupRow, groupStatement(counted, version.dialects.projections)),
      conspicuousAmong(request, version),
    ]);
    const found = rows.filter((row) => row.count !== null);
    const energyOf = (kwh: number) => (version.dialects.projections.storageEnergy ? kwh : null);
    const level = listLevel(dimension, { listedPlaces: true });
    const groups = found.slice(0, MAX_GROUPS).map((row) => ({
      ...groupFrom(row),
      speicherkapazitaetKwh: energyOf(row.kwh),
      ...(level === null ? {} : perPlaceOf(row, version)),
      ...(bestandAm.length === 0 ? {} : { bestand: stockFrom(row, energyOf) }),
    }));
    const { totalCount, totalKw, totalKwh } = rows[0] ?? NO_UNITS;
    const totals = { count: totalCount, bruttoleistungKw: totalKw, speicherkapazitaetKwh: energyOf(totalKwh) };
    const hints = await hintsOf(openValues(conditions), totalCount === 0, version);
    return {
      columns: columnsOf(dimension, bestandAm.length > 0),
      body: {
        data: { groupBy, groups, totals },
        meta: {
          truncated: found.length > MAX_GROUPS,
          ...(bestandAm.length === 0 ? {} : { bestandAm }),
          ...(level === null ? {} : { bezug: await listOf(rows[0], version) }),
          ...conspicuous,
          ...hints,
        },
      },
    };
  },
});

const NO_UNITS = { totalCount: 0, totalKw: 0, totalKwh: 0 };

/** Members of a place are missing in groups that are none. */
const groupFrom = ({ key, schluessel, name, bundesland, count, kw, known }: Group) => ({
  ...{ key, schluessel, name, bundesland },
  count,
  bruttoleistungKw: kw,
  durchschnittsleistungKw: known === 0 ? null : Math.round((kw / known) * 1e6) / 1e6,
});

const stockFrom = (row: Group, energyOf: (kwh: number) => number | null) => ({
  anzahl: row.bestandAnzahl ?? [],
  bruttoleistungKw: row.bestandKw ?? [],
  speicherkapazitaetKwh: (row.bestandKwh ?? []).map((kwh) => energyOf(kwh ?? 0)),
});

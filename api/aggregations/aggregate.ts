import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { bitsOf, DIMENSION_NAMES, dimensionNamed } from '../../sql/query/dimensions.ts';
import { coveredPlaceRow } from '../../sql/query/places.ts';
import { mustHaveModule } from '../access/rights.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { listShape } from '../places/list.ts';
import { violated } from '../problem/problem.ts';
import { conspicuousAmong, conspicuousParameter, conspicuousShape, NOT_CONSPICUOUS } from '../quality/conspicuous.ts';
import { openValue, placesOf } from '../regions/covered.ts';
import { levelAndRegionTogether, regionParameters } from '../regions/parameters.ts';
import { callsOfPlaces, MOST_PLACES, PLACES_OF_A_CALL, regionParameter } from '../regions/region-parameter.ts';
import { CSV } from '../representation/csv.ts';
import { XLSX } from '../representation/xlsx.ts';
import { momentOf, mustHoldAt, standParameter, stateShape } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { spaceMeta, spaceShape } from '../units/space.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, fault, listParameter, MEANINGS, oneWord, requirement } from '../wire/parameters.ts';
import { columnsOf, FURTHER_FIGURES, group, subtotal, totalsShape } from './group.ts';
import { MAX_GROUPS, readGroups } from './groups.ts';
import { MAX_PAIRS, readPairs, wideTable } from './pairs.ts';
import { countedInPlaces, inPlaces } from './places.ts';

/** Most days whose stock an answer has: those of a map that plays from 1990 on, with room for two decades. */
const MAX_STOCK_DAYS = 60;

/** One dimension, or two in the order in which they are written. */
const dimensions = () =>
  z
    .string({ error: requirement(ONE_OF) })
    .transform((text, context): readonly [string] | readonly [string, string] => {
      const [first = '', second, ...others] = text.split(',');
      const wrong = (message: string) => context.issues.push(fault('INVALID_PARAMETER', message));
      if (others.length > 0) wrong('takes one dimension, or two with a comma between them');
      else if (![first, second ?? first].every((name) => NAMES.includes(name))) wrong(ONE_OF);
      else if (first === second) wrong('names one dimension twice');
      return second === undefined ? [first] : [first, second];
    })
    .register(MEANINGS, { type: 'array', items: { type: 'string', enum: [...NAMES] }, minItems: 1, maxItems: 2 });

const NAMES: readonly string[] = DIMENSION_NAMES;
const ONE_OF = `must be one of ${NAMES.join(', ')}`;

const query = z
  .strictObject({
    groupBy: dimensions().describe(
      'What the units are counted by: one dimension, or two with a comma between them, which make a group of each pair of values',
    ),
    kennzahlen: listParameter({ closed: FURTHER_FIGURES })
      .optional()
      .describe('Further figures of each group; groups by two dimensions have them all'),
    anordnung: oneWord(['lang', 'breit'])
      .optional()
      .describe(
        'Only with two dimensions, as CSV or XLSX. `lang` (default): a row for each pair. `breit`: a row for each value of the first, with its sub-totals, and columns for each value of the second',
      ),
    ebene: regionParameters.ebene,
    region: regionParameter()
      .optional()
      .describe(
        `Places of that level, as the region analyses take them: the units of each are counted in groups of its own, which name it. Up to ${MOST_PLACES} times; ${PLACES_OF_A_CALL} of them count as one call`,
      ),
    bestandAm: listParameter({ most: MAX_STOCK_DAYS })
      .refine((days) => days.every((day) => z.iso.date().safeParse(day).success), 'must be calendar days YYYY-MM-DD')
      .optional()
      .describe('Days at whose end the stock of each group is counted'),
    stand: standParameter(queryNotation),
    ...conspicuousParameter,
    ...portfolioShape(queryNotation),
    ...unitFilterShape(queryNotation),
  })
  .superRefine(rangesAreOrdered, always)
  .superRefine(levelAndRegionTogether, always);

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
    'With two dimensions a group is a pair of values: `key` has that of the first and `zweite` that of the second; `teilsummen` has',
    `the sub-totals of both. At most ${MAX_PAIRS.toLocaleString('en')} pairs are answered, never a part of them.`,
  ].join(' '),
  access: 'api',
  shared: true,
  scope: 'units:read',
  cost: 'expensive',
  callsOf: callsOfPlaces,
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: z
      .strictObject({
        groupBy: z.string(),
        groups: z.array(group),
        teilsummen: z
          .strictObject({ erste: z.array(subtotal), zweite: z.array(subtotal) })
          .optional()
          .describe('With two dimensions: the groups of either alone'),
        orte: z
          .array(z.strictObject({ region: z.string(), totals: totalsShape }))
          .optional()
          .describe('With region: the totals of each place; units that lie in several of them count in each'),
        totals: totalsShape.describe('All units that meet the filters, each once'),
      })
      .meta({ id: 'Aggregation' }),
    meta: z.strictObject({
      truncated: z.boolean().describe('Whether there are more groups'),
      ebene: z.string().optional().describe('With region: the level of the places'),
      orte: z
        .array(
          z.strictObject({
            region: z.string().describe('As it was sent'),
            regionen: z.array(coveredPlaceRow).optional(),
          }),
        )
        .optional()
        .describe(
          'With region: the places that each of them covers, with ebene landkreis and gemeinde; several of one name are counted together',
        ),
      bestandAm: z.array(z.iso.date()).optional().describe('With bestandAm: its days, in their order'),
      bezug: listShape.optional().describe('With groups that are places: what their inhabitants and areas rest on'),
      ...stateShape,
      ...conspicuousShape,
      ...spaceShape,
      ...hintsShape,
    }),
  }),
  table: 'data.groups',
  problems: ['TOO_MANY_GROUPS', 'UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'groupBy=bundesland&einheitTyp=wind&betriebsStatus=In Betrieb' },
  async question({ query: { groupBy, kennzahlen = [], bestandAm = [], stand, auffaellige, ...others }, ...call }) {
    const { anordnung, ebene, region: regionen, ...filters } = others;
    const { caller, records, service, media } = call;
    if (anordnung !== undefined) mustBeTableOfPairs(anordnung, groupBy, bestandAm, media);
    const conditions = await resolveConditions(filters, { caller, records, service });
    const ids = groupBy.map(dimensionNamed).map((dimension) => {
      const { name, field } = dimension;
      if (field?.module != null) mustHaveModule(caller, field.module, `The dimension ${name}`);
      const bits = bitsOf(dimension) ?? [];
      return name === 'signals' ? [...caller.organisation.signals].sort() : bits.map(({ id }) => id);
    });
    mustHoldAt(stand, conditions, queryNotation);
    const further = FURTHER_FIGURES.filter((name) => groupBy.length > 1 || kennzahlen.includes(name));
    const places = ebene === undefined || regionen === undefined ? null : { ebene, regionen };
    const isWide = anordnung === 'breit';
    return { groupBy, further, places, isWide, bestandAm, stand, auffaellige, conditions: asked(conditions), ids };
  },
  async reply({ question, ...call }) {
    const { groupBy, further, places, isWide, bestandAm, stand, auffaellige } = question;
    const { version, today, asOf, stateMeta } = await momentOf(stand, call);
    const conditions = conditionsOf(question.conditions);
    const found = await withUnitsFound(version, { conditions, stockDays: bestandAm, today });
    const within = (regions: readonly string[] = []) => ({
      ...found,
      conditions: [...found.conditions, ...(places === null ? [] : [inPlaces(places.ebene, regions)])],
    });
    const counted = (regions?: readonly string[]) => {
      const asked = within(regions);
      return auffaellige === 'mit' ? asked : { ...asked, conditions: [...asked.conditions, NOT_CONSPICUOUS] };
    };
    const [first, second] = groupBy.map((name, index) => ({
      dimension: dimensionNamed(name),
      ids: itemAt(question.ids, index),
    }));
    if (first === undefined) throw new Error('Units are counted by no dimension');
    const byOne = (regions?: readonly string[]) => readGroups({ ...counted(regions), ...first }, further, version);
    const read = (regions?: readonly string[]) =>
      second === undefined ? byOne(regions) : readPairs({ ...counted(regions), first, second }, version);
    const [{ truncated, list, ...data }, conspicuous] = await Promise.all([
      places === null ? read() : countedInPlaces(places.regionen, read, byOne(places.regionen)),
      conspicuousAmong(within(places?.regionen), version),
    ]);
    // Of places, those are looked for in which nothing was found.
    const empty = (data.orte ?? []).filter(({ totals }) => totals.count === 0);
    const ofPlaces = places === null ? [] : empty.map(({ region }) => openValue({ ebene: places.ebene, region }));
    const ofEach = places === null ? [] : places.regionen.map((region) => ({ ebene: places.ebene, region }));
    const told = await Promise.all([
      hintsOf(openValues(conditions), data.totals.count === 0, version),
      hintsOf(ofPlaces, true, version),
    ]);
    const hinweise = told.flatMap((hints) => hints.hinweise ?? []);
    const orte = await Promise.all(
      ofEach.map(async (place) => ({ region: place.region, ...(await placesOf(place, version)) })),
    );
    const space = await spaceMeta(counted(places?.regionen), data.totals.count, version);
    const has = { stock: bestandAm.length > 0, region: places !== null };
    return {
      asOf,
      columns: columnsOf(first.dimension, second?.dimension, further, has),
      ...(isWide ? { table: wideTable(data, first.dimension) } : {}),
      body: {
        data: { groupBy: groupBy.join(), ...data },
        meta: {
          truncated,
          ...stateMeta,
          ...(places === null ? {} : { ebene: places.ebene, orte }),
          ...(bestandAm.length === 0 ? {} : { bestandAm }),
          ...list,
          ...conspicuous,
          ...space,
          ...(hinweise.length === 0 ? {} : { hinweise }),
        },
      },
    };
  },
});

/** @throws Problem INVALID_PARAMETER, FILTER_CONFLICT */
function mustBeTableOfPairs(anordnung: string, groupBy: readonly string[], days: readonly string[], media: string) {
  const refuse = (code: 'FILTER_CONFLICT' | 'INVALID_PARAMETER', detail: string) =>
    violated([{ parameter: 'anordnung', code, detail: `anordnung ${detail}` }]);
  if (media !== CSV && media !== XLSX) throw refuse('INVALID_PARAMETER', 'is only for format=csv and format=xlsx');
  if (groupBy.length < 2) throw refuse('FILTER_CONFLICT', 'is only for groupBy with two dimensions');
  if (anordnung === 'breit' && days.length > 0) {
    throw refuse('FILTER_CONFLICT', 'breit has no column for each day of bestandAm: take anordnung=lang');
  }
}

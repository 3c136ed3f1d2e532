import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { conspicuousAmong, conspicuousParameter, conspicuousShape, NOT_CONSPICUOUS } from '../quality/conspicuous.ts';
import { energyShape, megawattHours, megawatts } from '../regions/figures.ts';
import { PERIODS, readSums } from '../regions/sums.ts';
import { DATE_FIELDS } from '../regions/zeitreihe.ts';
import { momentOf, mustHoldAt, standParameter, stateShape } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { spaceMeta, spaceShape } from '../units/space.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, calendarDay, fault, oneWord, text } from '../wire/parameters.ts';

/** GET /v1/region/zeitreihe of whatever units meet filters, instead of those of a place. */

const query = z
  .strictObject({
    periode: oneWord(['monat', 'quartal', 'jahr']).default('monat').describe('Length of a period'),
    von: calendarDay().optional().describe('First day, inclusive; applies to each series on its own date field'),
    bis: calendarDay().optional().describe('Last day, inclusive'),
    stand: standParameter(queryNotation),
    savedFilterId: text()
      .optional()
      .describe('Id of GET /v1/saved-filters: its criteria stand for all filters; none may stand beside it'),
    ...conspicuousParameter,
    ...portfolioShape(queryNotation),
    ...unitFilterShape(queryNotation),
  })
  .superRefine(rangesAreOrdered, always)
  .superRefine(({ savedFilterId, periode: _, von, bis, stand: __, auffaellige: ___, ...filters }, context) => {
    if (savedFilterId !== undefined && Object.values(filters).some((value) => value !== undefined)) {
      context.issues.push(fault('FILTER_CONFLICT', 'cannot stand beside other filters', ['savedFilterId']));
    }
    if (von !== undefined && bis !== undefined && von > bis) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies after bis', ['von']));
    }
  }, always);

const row = z
  .strictObject({
    periode: z.string().describe('YYYY-MM, YYYY-Qn or YYYY'),
    energietraeger: z.string().describe('Carrier: `einheitTyp` of the units'),
    zubauAnzahl: z.int(),
    zubauMw: z.number(),
    abbauAnzahl: z.int(),
    abbauMw: z.number(),
    pipelineAnzahl: z.int(),
    pipelineMw: z.number(),
    zubauMwh: energyShape('commissioned storage'),
    abbauMwh: energyShape('decommissioned storage'),
    pipelineMwh: energyShape('planned storage'),
  })
  .meta({ id: 'FilteredSeriesRow' });

export const filteredSeries = reusableOperation({
  id: 'aggregations.zeitreihe',
  method: 'GET',
  path: '/v1/aggregations/zeitreihe',
  summary: 'Growth, decommissioning and pipeline over time, of units that meet filters',
  access: 'api',
  shared: true,
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: z.array(row),
    meta: z.strictObject({
      count: z.int(),
      periode: z.enum(['monat', 'quartal', 'jahr']),
      datumsfelder: z.strictObject({ zubau: z.string(), abbau: z.string(), pipeline: z.string() }),
      ...stateShape,
      ...conspicuousShape,
      ...spaceShape,
      ...hintsShape,
    }),
  }),
  table: 'data',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'periode=jahr&einheitTyp=wind&leistungMinKw=3000&von=2020-01-01' },
  async question({ query: { periode, von, bis, stand, auffaellige, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(stand, conditions, queryNotation);
    // A caller may ask by a saved filter whose criteria it may not read, so its values are not repeated.
    const repeatsValues = filters.savedFilterId === undefined;
    return { periode, von, bis, stand, auffaellige, conditions: asked(conditions), repeatsValues };
  },
  async reply({ question: { periode, von, bis, stand, auffaellige, repeatsValues, ...question }, ...call }) {
    const { version, today, asOf, stateMeta } = await momentOf(stand, call);
    const conditions = conditionsOf(question.conditions);
    const criteria = await withUnitsFound(version, { conditions, today });
    const counted = auffaellige === 'mit' ? criteria.conditions : [...criteria.conditions, NOT_CONSPICUOUS];
    const [sums, conspicuous] = await Promise.all([
      readSums(
        { energietraeger: CARRIERS, periode, von, bis, filtered: { ...criteria, conditions: counted } },
        version,
      ),
      conspicuousAmong(criteria, version),
    ]);
    const { ofYear, name } = PERIODS[periode];
    const data = sums.map((sum) => ({
      periode: name(String(Math.floor(sum.periode / ofYear)).padStart(4, '0'), sum.periode % ofYear),
      energietraeger: sum.energietraeger,
      zubauAnzahl: sum.zubauAnzahl,
      zubauMw: megawatts(sum.zubauKw),
      abbauAnzahl: sum.abbauAnzahl,
      abbauMw: megawatts(sum.abbauKw),
      pipelineAnzahl: sum.pipelineAnzahl,
      pipelineMw: megawatts(sum.pipelineKw),
      zubauMwh: megawattHours(sum.zubauKwh, version),
      abbauMwh: megawattHours(sum.abbauKwh, version),
      pipelineMwh: megawattHours(sum.pipelineKwh, version),
    }));
    const hints = repeatsValues ? await hintsOf(openValues(conditions), data.length === 0, version) : {};
    const space = await spaceMeta({ ...criteria, conditions: counted }, null, version);
    const counts = { count: data.length, periode, datumsfelder: DATE_FIELDS };
    const meta = { ...counts, ...stateMeta, ...conspicuous, ...space, ...hints };
    return { asOf, columns: Object.keys(row.shape), body: { data, meta } };
  },
});

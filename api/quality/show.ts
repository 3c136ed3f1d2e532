import { z } from 'zod';
import { RULE_IDS, WRITTEN_RULES } from '../../sql/catalogue/anomalies.ts';
import { SEVERITIES } from '../../sql/catalogue/rule.ts';
import { dimensionNamed } from '../../sql/query/dimensions.ts';
import { groupRow, groupStatement } from '../../sql/query/groups.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { queryNotation } from '../wire/notation.ts';
import { always } from '../wire/parameters.ts';
import { conspicuousAmong, conspicuousShape } from './conspicuous.ts';

const rule = z
  .strictObject({
    regel: z.enum(RULE_IDS).describe('As the filter `auffaelligkeit` takes it'),
    name: z.string(),
    schwere: z.enum(SEVERITIES),
    felder: z.array(z.string()).describe('The fields that it compares'),
    beschreibung: z.string(),
    description: z.string().describe('The same in English'),
    grenzen: z
      .record(z.string(), z.number())
      .describe('The bounds that it compares with, in the unit of measure that the name ends with'),
    quelle: z.string().describe('What the bounds rest on'),
    count: z.int().describe('Units to which it applies, among those that meet the filters'),
    bruttoleistungKw: z.number().describe('Sum of their gross capacity (kW), as the register has it'),
    title: z.string().describe('`name` in English'),
    source: z.string().describe('`quelle` in English'),
  })
  .meta({ id: 'PlausibilityRule' });

/** The rules of plausibility, with how many units each applies to. */
export const showQuality = reusableOperation({
  id: 'qualitaet.show',
  method: 'GET',
  path: '/v1/qualitaet',
  summary: 'Rules of plausibility, and how often they apply',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query: z
    .strictObject({ ...portfolioShape(queryNotation), ...unitFilterShape(queryNotation) })
    .superRefine(rangesAreOrdered, always),
  answer: z.strictObject({
    data: z.array(rule),
    meta: z.strictObject({
      count: z.int(),
      einheiten: z.int().describe('Units that meet the filters'),
      ...conspicuousShape,
      ...hintsShape,
    }),
  }),
  table: 'data',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'einheitTyp=solar&bundesland=Bayern' },
  async question({ query, caller, records, service }) {
    return { conditions: asked(await resolveConditions(query, { caller, records, service })) };
  },
  async reply({ question, today, dataset }) {
    const version = dataset();
    const request = await withUnitsFound(version, {
      dimension: dimensionNamed('auffaelligkeit'),
      conditions: conditionsOf(question.conditions),
      ids: RULE_IDS,
      limit: RULE_IDS.length,
      today,
    });
    const [groups, conspicuous] = await Promise.all([
      version.query(groupRow, groupStatement(request, version.dialects.projections)),
      conspicuousAmong(request, version),
    ]);
    const byRule = new Map(groups.map((group) => [group.key, group]));
    const data = WRITTEN_RULES.map(({ id, name, title, severity, fields, bounds, ...texts }) => ({
      ...{ regel: id, name, schwere: severity, felder: [...fields] },
      ...{ beschreibung: texts.description, description: texts.english, grenzen: bounds, quelle: texts.source },
      count: byRule.get(id)?.count ?? 0,
      bruttoleistungKw: byRule.get(id)?.kw ?? 0,
      ...{ title, source: texts.sourceInEnglish },
    }));
    const einheiten = groups[0]?.totalCount ?? 0;
    const hints = await hintsOf(openValues(request.conditions), einheiten === 0, version);
    return { body: { data, meta: { count: data.length, einheiten, ...conspicuous, ...hints } } };
  },
});

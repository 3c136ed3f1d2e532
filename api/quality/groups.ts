import { z } from 'zod';
import { RULE_IDS, WRITTEN_RULES } from '../../sql/catalogue/anomalies.ts';
import type { RuleId } from '../../sql/catalogue/plausibility.ts';
import { SEVERITIES } from '../../sql/catalogue/rule.ts';
import { dimensionNamed } from '../../sql/query/dimensions.ts';
import { groupRow, groupStatement } from '../../sql/query/groups.ts';
import { placeMembers } from '../../sql/query/places.ts';
import { ruleGroupRow, ruleGroupStatement } from '../../sql/query/rule-groups.ts';
import { mustHaveModule } from '../access/rights.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, listParameter, oneWord } from '../wire/parameters.ts';
import { conspicuousAmong, conspicuousShape } from './conspicuous.ts';

/** Most groups of one answer: those with the most findings. */
const MAX_GROUPS = 1000;

/** The groups of which the units are counted: there are fewer municipalities, and by far fewer of anything else. */
const MAX_COUNTED = 20_000;

const DIMENSIONS = ['bundesland', 'landkreis', 'gemeinde', 'einheitTyp', 'energietraeger', 'netzbetreiber'] as const;

/** The parameter that chooses rules. */
export const rulesParameter = (rules: readonly string[]) =>
  listParameter({ closed: rules }).optional().describe('Only these rules; default: all');

const row = z
  .strictObject({
    regel: z.enum(RULE_IDS),
    schwere: z.enum(SEVERITIES),
    key: z.string().nullable().describe('Value of the dimension; null: the units without one'),
    ...placeMembers,
    count: z.int().describe('Units of the group to which the rule applies'),
    bruttoleistungKw: z.number().describe('Sum of their gross capacity (kW), as the register has it'),
    einheiten: z.int().describe('All units of the group that meet the filters'),
    anteil: z.number().describe('count by einheiten, 0 to 1'),
  })
  .meta({ id: 'PlausibilityRuleOfGroup' });

const COLUMNS = Object.keys(row.shape);
const COLUMNS_WITHOUT_PLACE = COLUMNS.filter((name) => !(name in placeMembers));

const SEVERITY_OF = new Map(WRITTEN_RULES.map(({ id, severity }) => [id as string, severity]));

/** Counts the units that each rule applies to, by place, carrier or grid operator. */
export const qualityGroups = reusableOperation({
  id: 'qualitaet.gruppen',
  method: 'GET',
  path: '/v1/qualitaet/gruppen',
  summary: 'How often rules of plausibility apply, by place, carrier or grid operator',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query: z
    .strictObject({
      groupBy: oneWord(DIMENSIONS).describe('What the units are counted by'),
      regel: rulesParameter(RULE_IDS),
      ...portfolioShape(queryNotation),
      ...unitFilterShape(queryNotation),
    })
    .superRefine(rangesAreOrdered, always),
  answer: z.strictObject({
    data: z.array(row),
    meta: z.strictObject({
      count: z.int(),
      truncated: z.boolean().describe(`Whether there are more groups than the ${MAX_GROUPS} with the most findings`),
      einheiten: z.int().describe('Units that meet the filters'),
      ...conspicuousShape,
      ...hintsShape,
    }),
  }),
  table: 'data',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'groupBy=einheitTyp&regel=leistung_je_flaeche_hoch,modulleistung_hoch' },
  async question({ query: { groupBy, regel, ...filters }, caller, records, service }) {
    const { name, field } = dimensionNamed(groupBy);
    const conditions = await resolveConditions(filters, { caller, records, service });
    if (field?.module != null) mustHaveModule(caller, field.module, `The dimension ${name}`);
    return { groupBy, rules: regel ?? RULE_IDS, conditions: asked(conditions) };
  },
  async reply({ question: { groupBy, rules, ...question }, today, dataset }) {
    const dimension = dimensionNamed(groupBy);
    const version = dataset();
    const { projections } = version.dialects;
    const criteria = await withUnitsFound(version, { conditions: conditionsOf(question.conditions), today });
    const request = { ...criteria, dimension };
    const named = { ...request, rules: rules as readonly RuleId[], limit: MAX_GROUPS + 1 };
    // Shares are of units, so that inhabitants and areas of places need not be found.
    const [rows, groups, conspicuous] = await Promise.all([
      version.query(ruleGroupRow, ruleGroupStatement(named, projections)),
      version.query(
        groupRow,
        groupStatement({ ...request, ids: [], limit: MAX_COUNTED }, { ...projections, listedPlaces: false }),
      ),
      conspicuousAmong(criteria, version),
    ]);
    const units = new Map(groups.map(({ key, count }) => [key, count ?? 0]));
    const data = rows
      .filter(({ rang }) => rang <= MAX_GROUPS)
      .map(({ regel, kw, rang: _, ...group }) => {
        const einheiten = units.get(group.key) ?? group.count;
        return {
          ...{ regel, schwere: SEVERITY_OF.get(regel), ...group, bruttoleistungKw: kw, einheiten },
          anteil: Math.round((group.count / einheiten) * 1e6) / 1e6,
        };
      });
    const einheiten = groups[0]?.totalCount ?? 0;
    return {
      columns: dimension.places === null ? COLUMNS_WITHOUT_PLACE : COLUMNS,
      body: {
        data,
        meta: {
          count: data.length,
          truncated: data.length < rows.length,
          einheiten,
          ...conspicuous,
          ...(await hintsOf(openValues(criteria.conditions), einheiten === 0, version)),
        },
      },
    };
  },
});

import { z } from 'zod';
import { RULE_IDS, WRITTEN_RULES } from '../../sql/catalogue/anomalies.ts';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { SEVERITIES } from '../../sql/catalogue/rule.ts';
import { dimensionNamed } from '../../sql/query/dimensions.ts';
import { levelRow, levelsStatement, unplacedRow, unplacedStatement } from '../../sql/query/grid.ts';
import { ruleGroupRow, ruleGroupStatement } from '../../sql/query/rule-groups.ts';
import type { UnitCriteria } from '../../sql/query/units.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { movedSum, movedSumShape } from '../history/summe.ts';
import { reusableOperation } from '../operation/operation.ts';
import { conspicuousAmong, conspicuousShape } from '../quality/conspicuous.ts';
import { momentOf, mustHoldAt, stateShape } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered } from '../units/filters.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { spaceMeta, spaceShape } from '../units/space.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { queryNotation } from '../wire/notation.ts';
import { always, calendarDay, fault } from '../wire/parameters.ts';
import { figuresOf, gridFigures, summed } from './figures.ts';
import { counted, gridParameters, operatorsParameter } from './question.ts';

const query = z
  .strictObject({
    seit: calendarDay().optional().describe('Adds how number and capacity moved since the state of this day, and why'),
    ...gridParameters,
    netzbetreiber: operatorsParameter(),
  })
  .superRefine(rangesAreOrdered, always)
  .superRefine(({ seit, stand }, context) => {
    if (seit !== undefined && stand !== undefined && String(seit) > String(stand)) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies after stand', ['seit']));
    }
  }, always);

const row = z
  .strictObject({
    spannungsebene: z.string().nullable().describe('Null: units whose connection point the register does not know'),
    einheitTyp: z.enum(CARRIERS),
    ...gridFigures,
  })
  .meta({ id: 'GridRow' });

const unplaced = z
  .strictObject({
    einheitTyp: z.enum(CARRIERS),
    anzahl: z.int().describe('Units'),
    bruttoleistungKw: z.number().describe('Sum of their gross capacity (kW)'),
    genehmigtAnzahl: z.int().describe('Those with a permit'),
    genehmigtKw: z.number().describe('Their gross capacity (kW)'),
  })
  .meta({ id: 'PlannedWithoutGrid' });

const rule = z
  .strictObject({
    regel: z.enum(RULE_IDS),
    name: z.string(),
    schwere: z.enum(SEVERITIES),
    einheitTyp: z.enum(CARRIERS),
    count: z.int().describe('Units of the carrier to which the rule applies'),
    bruttoleistungKw: z.number().describe('Sum of their gross capacity (kW), as the register has it'),
    title: z.string().describe('`name` in English'),
  })
  .meta({ id: 'GridRule' });

/** The days of a moved sum, as this operation calls them. */
const NAMES = { von: 'seit', bis: 'stand' };

/** From the highest voltage to the lowest; units of no level come last. */
const LEVELS = ['Höchstspannung', 'Hochspannung', 'Mittelspannung', 'Niederspannung'];

/** The grid of an operator, or of whatever units meet filters. */
export const showGrid = reusableOperation({
  id: 'netz.show',
  method: 'GET',
  path: '/v1/netz',
  summary: 'The units of a grid by voltage level: stock, pipeline, remote control, quality, changes',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: z
      .strictObject({
        spannungsebenen: z
          .array(row)
          .describe('By voltage level, the highest first, and by carrier, the largest stock first'),
        totals: z.strictObject(gridFigures).describe('All of them'),
        geplantOhneNetz: z
          .array(unplaced)
          .describe(
            'Planned units of which the register does not know the grid, in municipalities in which the operators have units, by carrier; in no other figure',
          ),
        qualitaet: z.array(rule).describe('Rules of plausibility that apply to some of the units, by carrier'),
        aenderungen: movedSumShape.optional().describe('With seit: as GET /v1/aenderungen/summe answers'),
      })
      .meta({ id: 'Grid' }),
    meta: z.strictObject({
      count: z.int().describe('Rows by voltage level and carrier'),
      einheiten: z.int().describe('Units that are counted'),
      ...stateShape,
      ...conspicuousShape,
      ...spaceShape,
      ...hintsShape,
    }),
  }),
  table: 'data.spannungsebenen',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND', 'DATASET_NOT_READY'],
  example: { query: 'netzbetreiber=Netze Ansbach GmbH,Netz Nord AG' },
  async question({ query: { seit, stand, auffaellige, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(stand ?? seit, conditions, queryNotation);
    return { seit, stand, auffaellige, conditions: asked(conditions) };
  },
  async reply({ question: { seit, stand, auffaellige, ...question }, ...call }) {
    const { version, today, asOf, stateMeta } = await momentOf(stand, call);
    const conditions = conditionsOf(question.conditions);
    const all = await withUnitsFound(version, { conditions, today });
    const criteria = { ...all, conditions: counted(all.conditions, auffaellige) };
    const [levels, geplantOhneNetz, qualitaet, aenderungen, conspicuous] = await Promise.all([
      version.query(levelRow, levelsStatement(criteria, version.dialects)),
      unplacedOf(criteria, version),
      rulesOf(criteria, version),
      seit === undefined
        ? null
        : movedSum(
            { conditions: criteria.conditions, von: seit, bis: stand, names: NAMES, today: call.today },
            call.dataset(),
          ),
      conspicuousAmong(all, version),
    ]);
    const totals = summed(levels);
    const einheiten = totals.stockCount + totals.pipelineCount + totals.shutCount;
    const spannungsebenen = levels
      .sort(
        (one, other) =>
          placeOf(one) - placeOf(other) ||
          inOrder(one.spannungsebene ?? '', other.spannungsebene ?? '') ||
          other.stockKw - one.stockKw ||
          inOrder(one.einheitTyp, other.einheitTyp),
      )
      .map(({ spannungsebene, einheitTyp, ...sums }) => ({ spannungsebene, einheitTyp, ...figuresOf(sums) }));
    const meta = {
      ...{ count: spannungsebenen.length, einheiten },
      ...stateMeta,
      ...conspicuous,
      ...(await spaceMeta(criteria, einheiten, version)),
      ...(await hintsOf(openValues(conditions), einheiten === 0, version)),
    };
    const data = {
      spannungsebenen,
      totals: figuresOf(totals),
      geplantOhneNetz,
      qualitaet,
      ...(aenderungen === null ? {} : { aenderungen }),
    };
    return { asOf, body: { data, meta } };
  },
});

function placeOf({ spannungsebene: level }: { readonly spannungsebene: string | null }): number {
  if (level === null) return LEVELS.length * 2;
  // A transformer stands beneath its upper level.
  const name = level.replace(/^Umspannebene /, '');
  const place = LEVELS.findIndex((one) => name.startsWith(one));
  return place < 0 ? LEVELS.length : place + (name === level ? 0 : 0.5);
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Planned units without a grid; none where an earlier release has built the version, whose units have no number of their municipality. */
async function unplacedOf(criteria: UnitCriteria, { dialects, tables, query }: VersionReader) {
  if (!tables.has('gebiete')) return [];
  const rows = await query(unplacedRow, unplacedStatement(criteria, dialects.projections));
  return rows
    .sort((one, other) => other.pipelineKw - one.pipelineKw || inOrder(one.einheitTyp, other.einheitTyp))
    .map((row) => ({
      einheitTyp: row.einheitTyp,
      anzahl: row.pipelineCount,
      bruttoleistungKw: row.pipelineKw,
      genehmigtAnzahl: row.permittedCount,
      genehmigtKw: row.permittedKw,
    }));
}

const WRITTEN = new Map(WRITTEN_RULES.map((written) => [written.id as string, written]));

/** Counts the units to which each rule applies, by carrier: a unit has one, so that they add up. */
async function rulesOf(criteria: UnitCriteria, version: VersionReader) {
  const request = { ...criteria, dimension: dimensionNamed('einheitTyp'), rules: RULE_IDS, limit: CARRIERS.length };
  const rows = await version.query(ruleGroupRow, ruleGroupStatement(request, version.dialects.projections));
  return rows.map(({ regel, key, count, kw }) => ({
    regel,
    name: WRITTEN.get(regel)?.name,
    schwere: WRITTEN.get(regel)?.severity,
    einheitTyp: key,
    count,
    bruttoleistungKw: kw,
    title: WRITTEN.get(regel)?.title,
  }));
}

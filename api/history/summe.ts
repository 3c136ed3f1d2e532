import { z } from 'zod';
import { CAUSES, causeRow, causesStatement, sumRow, sumStatement } from '../../sql/query/change-feed.ts';
import type { UnitCriteria } from '../../sql/query/units.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { reusableOperation } from '../operation/operation.ts';
import { datasetAt, mustHoldAt, statesOf } from '../state/state.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered, unitFilterShape } from '../units/filters.ts';
import { portfolioShape } from '../units/portfolio.ts';
import { asked, conditionsOf } from '../units/question.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { queryNotation } from '../wire/notation.ts';
import { always } from '../wire/parameters.ts';
import { spanIsOrdered, spanOf, spanShape } from './aenderungen.ts';

/** How a sum over units moved between two days, and why. */

const query = z
  .strictObject({ ...spanShape, ...portfolioShape(queryNotation), ...unitFilterShape(queryNotation) })
  .superRefine(rangesAreOrdered, always)
  .superRefine(spanIsOrdered, always);

/** The rest that no unit caused: conditions turn with the day. */
const BY_TIME = 'zeitablauf';

const sum = z.strictObject({
  version: z.string(),
  tag: z.iso.date().describe('Day of its export'),
  anzahl: z.int(),
  bruttoleistungKw: z.number(),
});

const cause = z
  .strictObject({
    ursache: z.enum([...CAUSES, BY_TIME]),
    einheiten: z.int().describe('Units that it concerns'),
    anzahl: z.int().describe('By how much it moved the number of units'),
    bruttoleistungKw: z.number().describe('By how much it moved the sum of gross capacity (kW)'),
  })
  .meta({ id: 'SumCause' });

/** The answer says how a sum moved. */
export const movedSumShape = z.strictObject({
  vorher: sum,
  nachher: sum,
  ursachen: z.array(cause).describe('They add up to the difference of the two'),
});

export const changeOfSum = reusableOperation({
  id: 'aenderungen.summe',
  method: 'GET',
  path: '/v1/aenderungen/summe',
  summary: 'How a sum moved between two days, and why',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query,
  answer: z.strictObject({
    data: movedSumShape,
    meta: z.strictObject({ count: z.int() }),
  }),
  table: 'data.ursachen',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND', 'DATASET_NOT_READY'],
  example: { query: 'bundesland=Bayern&einheitTyp=wind&betriebsStatus=In Betrieb' },
  async question({ query: { von, bis, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(von ?? bis ?? '', conditions, queryNotation);
    return { von, bis, conditions: asked(conditions) };
  },
  async reply({ question, today, dataset }) {
    const conditions = conditionsOf(question.conditions);
    const data = await movedSum({ conditions, von: question.von, bis: question.bis, today }, dataset());
    return { asOf: data.nachher.tag, body: { data, meta: { count: data.ursachen.length } } };
  },
});

interface MovedSum extends UnitCriteria {
  readonly von: string | undefined;
  readonly bis: string | undefined;
  /** By which the caller sent the days, where they are others. */
  readonly names?: { readonly von: string; readonly bis: string };
}

/**
 * Tells by how much each cause moved the sum over the units that meet the conditions.
 * @throws Problem like stateOn
 */
export async function movedSum(
  { conditions, today, names, ...days }: MovedSum,
  version: Dataset,
): Promise<z.infer<typeof movedSumShape>> {
  const known = await statesOf(version);
  const states = known.length > 0 ? known : [presentState(version.publication)];
  const span = spanOf(days, states, today, names) ?? { from: 0, to: 0 };
  const [before, now] = [days.von ?? today, days.bis ?? today];
  const sumAt = async (build: number, day: string) => {
    const at = datasetAt(version, build);
    const found = firstRow(await at.query(sumRow, sumStatement({ conditions, today: day }, at.dialects.units)));
    const state = states.find((one) => one.build === build) ?? presentState(version.publication);
    return { version: state.version, tag: state.day, anzahl: found.count, bruttoleistungKw: found.kw };
  };
  const [vorher, nachher, causes] = await Promise.all([
    sumAt(span.from, before),
    sumAt(span.to, now),
    span.from === span.to
      ? []
      : version.query(causeRow, causesStatement({ conditions, span, before, today: now }, version.dialects.units)),
  ]);
  const found = CAUSES.flatMap((name) => causes.filter((row) => row.cause === name)).map((row) => ({
    ursache: row.cause,
    einheiten: row.units,
    anzahl: row.count,
    bruttoleistungKw: row.kw,
  }));
  const rest = {
    anzahl: nachher.anzahl - vorher.anzahl - found.reduce((all, row) => all + row.anzahl, 0),
    watts:
      watts(nachher.bruttoleistungKw) -
      watts(vorher.bruttoleistungKw) -
      found.reduce((all, row) => all + watts(row.bruttoleistungKw), 0),
  };
  const { anzahl } = rest;
  const byTime = {
    ursache: BY_TIME,
    einheiten: Math.abs(anzahl),
    anzahl,
    bruttoleistungKw: rest.watts / 1000,
  } as const;
  return { vorher, nachher, ursachen: [...found, ...(anzahl === 0 && rest.watts === 0 ? [] : [byTime])] };
}

const presentState = ({ version, sequence, exportDay }: { version: string; sequence: number; exportDay: string }) => ({
  version,
  build: sequence,
  day: exportDay,
});

/** Watts are whole numbers, so nothing is lost. */
const watts = (kw: number): number => Math.round(kw * 1000);

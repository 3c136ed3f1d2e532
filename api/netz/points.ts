import { z } from 'zod';
import { CARRIERS, carriersIn } from '../../sql/catalogue/carriers.ts';
import { pointRow, pointsStatement } from '../../sql/query/grid.ts';
import { hintsOf, hintsShape, openValues } from '../hints/hints.ts';
import { reusableOperation } from '../operation/operation.ts';
import { momentOf, mustHoldAt, stateShape } from '../state/state.ts';
import { withUnitsFound } from '../units/by-text.ts';
import { dependsOnRecords, resolveConditions } from '../units/conditions.ts';
import { rangesAreOrdered } from '../units/filters.ts';
import { asked, conditionsOf } from '../units/question.ts';
import { spaceMeta, spaceShape } from '../units/space.ts';
import { queryNotation } from '../wire/notation.ts';
import { listMetaShape, openPage, pageParameters } from '../wire/paging.ts';
import { always } from '../wire/parameters.ts';
import { capacityShape } from './figures.ts';
import { counted, gridParameters, operatorsParameter } from './question.ts';

const PATH = '/v1/netz/netzanschlusspunkte';

const point = z
  .strictObject({
    netzanschlusspunktMastrNummer: z.string(),
    spannungsebene: z.string().nullable(),
    plz: z.string().nullable().describe('Of its units; of several the first'),
    ort: z.string().nullable().describe('Of its units; of several the first'),
    bundesland: z.string().nullable(),
    energietraeger: z.array(z.enum(CARRIERS)).describe('Carriers of the units that are counted'),
    bruttoleistungKw: z.number().describe('Gross capacity of stock and pipeline (kW), by which the list is sorted'),
    bestand: capacityShape.describe('Units in operation'),
    pipeline: capacityShape.describe('Units planned or being built'),
    fernsteuerbarNetzbetreiber: z
      .strictObject({ anzahl: z.int(), bruttoleistungKw: z.number() })
      .describe('Of the stock: what a grid operator can control remotely'),
  })
  .meta({ id: 'ConnectionPoint' });

/** Connection points of a grid operator, those with the most capacity first. */
export const listConnectionPoints = reusableOperation({
  id: 'netz.punkte',
  method: 'GET',
  path: PATH,
  summary: 'Connection points of a grid operator, those with the most capacity first',
  access: 'api',
  scope: 'units:read',
  cost: 'expensive',
  source: 'register',
  dependsOnRecords,
  query: z
    .strictObject({
      ...pageParameters,
      ...gridParameters,
      netzbetreiber: operatorsParameter(),
    })
    .superRefine(rangesAreOrdered, always),
  answer: z.strictObject({
    data: z.array(point),
    meta: z.strictObject({ ...listMetaShape, ...stateShape, ...spaceShape, ...hintsShape }),
  }),
  table: 'data',
  problems: ['UNKNOWN_SIGNAL', 'FILTER_CONFLICT', 'SIGNAL_NOT_ENTITLED', 'NOT_FOUND'],
  example: { query: 'netzbetreiber=Netze Ansbach GmbH,Netz Nord AG&limit=5' },
  async question({ query: { cursor, limit, stand, auffaellige, ...filters }, caller, records, service }) {
    const conditions = await resolveConditions(filters, { caller, records, service });
    mustHoldAt(stand, conditions, queryNotation);
    return { cursor, limit, stand, auffaellige, conditions: asked(conditions) };
  },
  async reply({ question, service, ...call }) {
    const { stand, auffaellige } = question;
    const { version, today, asOf, stateMeta } = await momentOf(stand, call);
    const conditions = conditionsOf(question.conditions);
    const list = openPage({
      path: PATH,
      query: question,
      search: null,
      service,
      question: [question.conditions, auffaellige, stand ?? null],
    });
    const found = await withUnitsFound(version, { conditions: counted(conditions, auffaellige), today });
    const after = list.after === null ? null : ([Number(list.after[0]), String(list.after[1])] as const);
    const request = { ...found, after, limit: list.fetchLimit };
    const rows = await version.query(pointRow, pointsStatement(request, version.dialects));
    const page = list.page(rows, ({ kw, point }) => [kw, point]);
    const isEmpty = rows.length === 0 && list.after === null;
    const space = await spaceMeta(found, null, version);
    const hints = await hintsOf(openValues(conditions), isEmpty, version);
    const meta = { ...page.meta, ...stateMeta, ...space, ...hints };
    return { asOf, page: page.links, body: { data: page.rows.map(shown), meta } };
  },
});

const shown = (row: z.infer<typeof pointRow>): z.infer<typeof point> => ({
  netzanschlusspunktMastrNummer: row.point,
  spannungsebene: row.level,
  plz: row.postcode,
  ort: row.town,
  bundesland: row.state,
  energietraeger: carriersIn(row.carriers),
  bruttoleistungKw: row.kw,
  bestand: { anzahl: row.stockCount, bruttoleistungKw: row.stockKw, nettonennleistungKw: row.stockNetKw },
  pipeline: { anzahl: row.pipelineCount, bruttoleistungKw: row.pipelineKw, nettonennleistungKw: row.pipelineNetKw },
  fernsteuerbarNetzbetreiber: { anzahl: row.gridCount, bruttoleistungKw: row.gridKw },
});

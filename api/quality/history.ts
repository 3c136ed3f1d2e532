import { z } from 'zod';
import { CONSPICUOUS_ID, RULE_IDS } from '../../sql/catalogue/anomalies.ts';
import { ANOMALY_HISTORY, historyRow, historyStatement } from '../../sql/query/conspicuous.ts';
import { reusableOperation } from '../operation/operation.ts';
import { always, calendarDay, fault } from '../wire/parameters.ts';
import { rulesParameter } from './groups.ts';

const FIGURES = [...RULE_IDS, CONSPICUOUS_ID] as const;

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

const row = z
  .strictObject({
    tag: z.iso.date().describe('Day of an export'),
    regel: z.enum(FIGURES).describe('Id of a rule; `auffaellig`: the conspicuous units, each once'),
    count: z.int().describe('Units in the whole register to which it applied'),
    bruttoleistungKw: z.number().describe('Sum of their gross capacity (kW), as the register had it'),
  })
  .meta({ id: 'PlausibilityOfDay' });

/** Tells how often rules applied, from export to export. */
export const qualityHistory = reusableOperation({
  id: 'qualitaet.verlauf',
  method: 'GET',
  path: '/v1/qualitaet/verlauf',
  summary: 'How often rules of plausibility applied, from export to export',
  access: 'api',
  scope: 'units:read',
  cost: 'standard',
  source: 'register',
  query: z
    .strictObject({
      regel: rulesParameter(FIGURES),
      von: calendarDay().optional().describe('Earliest day of export, inclusive'),
      bis: calendarDay().optional().describe('Latest day of export, inclusive'),
    })
    .superRefine(({ von, bis }, context) => {
      if (von !== undefined && bis !== undefined && von > bis) {
        context.issues.push(fault('FILTER_CONFLICT', 'lies after bis', ['von']));
      }
    }, always),
  answer: z.strictObject({ data: z.array(row), meta: z.strictObject({ count: z.int() }) }),
  table: 'data',
  problems: ['FILTER_CONFLICT'],
  example: { query: 'regel=auffaellig,leistung_je_flaeche_hoch' },
  question: ({ query: { regel, von, bis } }) => ({
    rules: regel ?? FIGURES,
    from: von ?? FIRST_DAY,
    to: bis ?? LAST_DAY,
  }),
  async reply({ question, dataset }) {
    const { tables, dialects, query } = dataset();
    const rows = tables.has(ANOMALY_HISTORY)
      ? await query(historyRow, historyStatement(question, dialects.projections))
      : [];
    const data = rows.map(({ day, rule, count, kw }) => ({ tag: day, regel: rule, count, bruttoleistungKw: kw }));
    return { body: { data, meta: { count: data.length } } };
  },
});

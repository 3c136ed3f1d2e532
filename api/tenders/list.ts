import { z } from 'zod';
import { MAX_ROWS_PER_QUERY } from '../../sql/org/callers.ts';
import { whereAll } from '../../sql/query/conditions.ts';
import { sqlFile, withPieces } from '../../sql/query/sql-files.ts';
import { binder, type WarehouseStatement } from '../../sql/query/statement.ts';
import { reusableOperation } from '../operation/operation.ts';
import type { VersionReader } from '../warehouse/version.ts';
import { always, calendarDay, fault, listParameter } from '../wire/parameters.ts';
import { TECHNOLOGY_NAMES } from './technologies.ts';

const SQL = sqlFile(import.meta.url, 'rounds.sql');

const CAPS = {
  // ClickHouse joins with zero where there is none.
  cap: 'CAST(nullif(cap.hoechstwertCtKwh, 0) AS DOUBLE)',
  caps: 'LEFT JOIN hoechstwerte AS cap ON cap.gebotstermin = tender.id',
};
const NO_CAPS = { cap: 'CAST(NULL AS DOUBLE)', caps: '' };

const STATUSES = ['IMPORTED', 'PENDING', 'FAILED'] as const;

/** What is known of the result of a date. */
const RESULTS = ['VORHANDEN', 'ANGEKUENDIGT', 'NICHT_GELADEN', 'NICHT_LESBAR'] as const;

const round = z
  .strictObject({
    id: z.int().describe('Stays the same for ever'),
    technologie: z.enum(TECHNOLOGY_NAMES),
    datum: z.iso.date().describe('Bid date'),
    status: z
      .enum(STATUSES)
      .describe(
        'IMPORTED: results are there; PENDING: announced, none yet; FAILED: its award list could not be loaded',
      ),
    bezeichnung: z.string().nullable(),
    zuschlaege: z.int().nullable().describe('Awards, as published'),
    volumenBeworbenKw: z.number().nullable().describe('Bid volume (kW)'),
    volumenBezuschlagtKw: z.number().nullable().describe('Awarded volume (kW)'),
    volumenAusgeschriebenKw: z.number().nullable().describe('Tendered volume, after adjustment (kW)'),
    gebotNiedrigstesCtKwh: z.number().nullable().describe('Lowest awarded bid (ct/kWh)'),
    gebotHoechstesCtKwh: z.number().nullable().describe('Highest awarded bid (ct/kWh)'),
    zuschlagswertDurchschnittCtKwh: z.number().nullable().describe('Mean award value, weighted by volume (ct/kWh)'),
    hoechstwertCtKwh: z.number().nullable().describe('Cap: bids above it were excluded (ct/kWh)'),
    ergebnis: z
      .enum(RESULTS)
      .describe(
        'VORHANDEN: results are there; ANGEKUENDIGT: the date lies ahead; NICHT_GELADEN: the date is past, and this service has ' +
          'no result of it; NICHT_LESBAR: its award list could not be loaded',
      ),
  })
  .meta({ id: 'TenderDate' });

type Round = z.infer<typeof round>;

const stored = round.omit({ ergebnis: true });

const query = z
  .strictObject({
    technologie: listParameter({ closed: TECHNOLOGY_NAMES }).optional().describe('Technologies tendered'),
    status: listParameter({ closed: STATUSES }).optional().describe('PENDING: announced, without a result'),
    von: calendarDay().optional().describe('Earliest bid date, inclusive'),
    bis: calendarDay().optional().describe('Latest bid date, inclusive'),
  })
  .superRefine(({ von, bis }, context) => {
    if (von !== undefined && bis !== undefined && von > bis) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies beyond bis', ['von']));
    }
  }, always);

/** Tender dates, newest first: those of the past with their results, those ahead as announced. */
export const listTenders = reusableOperation({
  id: 'ausschreibungen.list',
  method: 'GET',
  path: '/v1/ausschreibungen',
  summary: 'Tender dates, newest first',
  access: 'api',
  shared: true,
  scope: 'ausschreibungen:read',
  module: 'ausschreibungen',
  cost: 'standard',
  source: 'register',
  query,
  answer: z.strictObject({
    data: z.array(round),
    meta: z.strictObject({ count: z.int(), complete: z.boolean().describe('Whether these are all that match') }),
  }),
  table: 'data',
  problems: ['FILTER_CONFLICT'],
  example: { query: 'technologie=WIND,SOLAR_FREIFLAECHE&status=IMPORTED&von=2020-01-01' },
  question: ({ query }) => query,
  async reply({ question, dataset, today }) {
    const version = dataset();
    // A version of an earlier release has no tenders.
    const found = version.tables.has('gebotstermine')
      ? await version.query(stored, roundsStatement(question, version))
      : [];
    const data = found
      .slice(0, MAX_ROWS_PER_QUERY)
      .map((row): Round => ({ ...published(row), ergebnis: resultOf(row, today) }));
    return { body: { data, meta: { count: data.length, complete: found.length <= MAX_ROWS_PER_QUERY } } };
  },
});

function roundsStatement(
  { technologie, status, von, bis }: z.output<typeof query>,
  { dialects, tables }: VersionReader,
): WarehouseStatement {
  const dialect = dialects.units;
  const values = binder({ limit: MAX_ROWS_PER_QUERY + 1 });
  const where = [
    ...(technologie === undefined ? [] : [dialect.isAmong('tender.technologie', values.bind(technologie))]),
    ...(status === undefined ? [] : [dialect.isAmong('tender.status', values.bind(status))]),
    ...(von === undefined ? [] : [`tender.datum >= ${values.bind({ day: von })}`]),
    ...(bis === undefined ? [] : [`tender.datum <= ${values.bind({ day: bis })}`]),
  ];
  const pieces = {
    datum: dialect.toJson('day', 'tender.datum'),
    where: whereAll(where),
    // A version of an earlier release has no caps.
    ...(tables.has('hoechstwerte') ? CAPS : NO_CAPS),
  };
  return { text: withPieces(SQL, pieces), values: values.values };
}

/** A date that is only announced has no figures, even where the calendar of the law names a volume. */
const published = (row: z.infer<typeof stored>): z.infer<typeof stored> =>
  row.status === 'PENDING'
    ? {
        ...row,
        bezeichnung: null,
        zuschlaege: null,
        volumenBeworbenKw: null,
        volumenBezuschlagtKw: null,
        volumenAusgeschriebenKw: null,
        gebotNiedrigstesCtKwh: null,
        gebotHoechstesCtKwh: null,
        zuschlagswertDurchschnittCtKwh: null,
        hoechstwertCtKwh: null,
      }
    : row;

function resultOf({ status, datum }: Pick<Round, 'status' | 'datum'>, today: string): Round['ergebnis'] {
  if (status === 'IMPORTED') return 'VORHANDEN';
  if (status === 'FAILED') return 'NICHT_LESBAR';
  return datum < today ? 'NICHT_GELADEN' : 'ANGEKUENDIGT';
}

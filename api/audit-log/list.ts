import { z } from 'zod';
import { type AuditRow, auditPage, auditRow } from '../../sql/org/audit.ts';
import { operation } from '../operation/operation.ts';
import { listMetaShape, pageOf, pageParameters } from '../wire/paging.ts';
import { always, dayOrTimestamp, fault, wholeNumber } from '../wire/parameters.ts';
import { berlinMidnight, nextDay } from '../wire/time.ts';

const PATH = '/v1/audit-log';

const entry = z.strictObject({
  id: z.uuid(),
  zeitpunkt: z.iso.datetime().describe('When the call was answered'),
  methode: z.string(),
  pfad: z.string().describe('Path without query'),
  status: z.int(),
  dauerMs: z.int().describe('Processing time, ms'),
  zeilen: z.int().nullable().describe('Rows in the answer; null for calls that answer no list'),
  requestId: z.uuid(),
  schluesselId: z.uuid().nullable().describe('Key used; null when the call failed before the key was known'),
  schluesselPraefix: z.string().nullable(),
  abfrage: z.string().nullable().describe('Query as sent, only of calls that failed, without key material'),
  abfrageHash: z.string().nullable().describe('Equal for equal queries, whatever the order of their parameters'),
});

const entryOf = (row: AuditRow): z.infer<typeof entry> => ({
  id: row.id,
  zeitpunkt: row.answeredAt,
  methode: row.method,
  pfad: row.path,
  status: row.status,
  dauerMs: row.durationMs,
  zeilen: row.rowCount,
  requestId: row.requestId,
  schluesselId: row.keyId,
  schluesselPraefix: row.keyPrefix,
  abfrage: row.query,
  abfrageHash: row.queryHash,
});

const time = dayOrTimestamp();

const query = z
  .strictObject({
    ...pageParameters,
    von: time.optional().describe('From this day (Europe/Berlin) or moment on'),
    bis: time.optional().describe('Up to this day or moment, which is included'),
    status: wholeNumber(100, 599).optional().describe('HTTP status of the answer'),
    method: z
      .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], 'must be an HTTP method in capital letters')
      .optional()
      .describe('HTTP method'),
    keyPrefix: z
      .string()
      .regex(/^[0-9A-Za-z]{8}$/, 'must be the display prefix of a key: eight letters and digits')
      .optional()
      .describe('Display prefix of one key'),
  })
  .superRefine(({ von, bis }, context) => {
    const [from, to] = [time.safeParse(von).data, time.safeParse(bis).data];
    if (from !== undefined && to !== undefined && begin(from) >= end(to)) {
      context.issues.push(fault('FILTER_CONFLICT', 'lies beyond bis', ['von']));
    }
  }, always);

/** Returns the first moment of a range, Unix milliseconds. */
const begin = (von: string): number => Date.parse(isDay(von) ? berlinMidnight(von) : von);

/** Returns the first moment after a range: the log knows milliseconds, so one after a moment, or the first of the next day. */
const end = (bis: string): number => (isDay(bis) ? Date.parse(berlinMidnight(nextDay(bis))) : Date.parse(bis) + 1);

const isDay = (text: string): boolean => text.length === 10;

/** Writes a moment as RFC 3339, within the years that the store knows; every call is within them. */
const stored = (moment: number): string => new Date(Math.min(Math.max(moment, EARLIEST), LATEST)).toISOString();

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');

/** Lists the calls of the organisation, newest first. Reading the log is a call, too. */
export const listAudit = operation({
  id: 'audit.list',
  method: 'GET',
  path: PATH,
  summary: 'Audit log: calls of the organisation, newest first',
  description: 'Reads and writes are both logged. A read appears within a fraction of a second after its answer.',
  access: 'api',
  scope: 'audit:read',
  cost: 'standard',
  source: 'service',
  query,
  answer: z.strictObject({
    data: z.array(entry),
    meta: z.strictObject({ ...listMetaShape, aufbewahrungTage: z.int().describe('How long a call is kept, days') }),
  }),
  problems: ['FILTER_CONFLICT'],
  example: { query: 'status=429&von=2026-11-01' },
  async handle({ query, search, service, caller, records }) {
    const { id } = caller.organisation;
    const { von, bis, status, method, keyPrefix } = query;
    const filter = {
      from: von === undefined ? null : stored(begin(von)),
      before: bis === undefined ? null : stored(end(bis)),
      status: status ?? null,
      method: method ?? null,
      keyPrefix: keyPrefix ?? null,
    };
    const page = await pageOf<AuditRow>({
      path: PATH,
      query,
      search,
      service,
      question: [id, filter],
      keyOf: (row) => [row.answeredAt, row.id],
      read: (after, limit) =>
        records((session) =>
          session.rows(auditRow, auditPage(id, { ...filter, after: after as [string, string] | null, limit })),
        ),
    });
    const meta = { ...page.meta, aufbewahrungTage: service.settings.AUDIT_RETENTION_DAYS };
    return { headers: page.headers, body: { data: page.rows.map(entryOf), meta } };
  },
});

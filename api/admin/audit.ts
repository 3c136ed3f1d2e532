import { z } from 'zod';
import { usageError } from '../../runtime/command-line/exit.ts';
import { argument, flag, option } from '../../runtime/command-line/parameter.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import { adminCommand } from './common/admin-command.ts';
import { findOrganisation } from './common/find-organisation.ts';
import { count } from './common/schemas.ts';
import { table } from './common/text-table.ts';

const NEWEST = 20;

const callRow = z.strictObject({
  answeredAt: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  durationMs: z.int(),
  rowCount: z.int().nullable(),
  keyPrefix: z.string().nullable(),
  requestId: z.uuid(),
  query: z.string().nullable(),
});

const newestCalls = (whose: StoreStatement, limit: number): StoreStatement => sql`
  SELECT answered_at AS "answeredAt", method, path, status, duration_ms AS "durationMs", row_count AS "rowCount",
    key_prefix AS "keyPrefix", request_id AS "requestId", query
  FROM audit_log WHERE ${whose} ORDER BY answered_at DESC, id DESC LIMIT ${limit}`;

export const showAudit = adminCommand({
  name: 'audit',
  summary: 'the newest calls of an organisation, or those that belong to none',
  examples: ['stadtwerk', 'stadtwerk --limit 100', '--unattributed'],
  parameters: {
    organisation: argument('its external id or its UUID', z.string().optional()),
    unattributed: flag('calls that were refused before it was known whose they are'),
    limit: option('<n>', `how many (default: ${NEWEST})`, count(10_000).optional().default(NEWEST)),
  },
  run(store, { organisation: reference, unattributed = false, limit }) {
    if ((reference === undefined) !== unattributed) {
      throw usageError('audit takes either an organisation or --unattributed\nHelp: npm run admin -- audit --help');
    }
    return store.asOperator(async (session) => {
      if (reference === undefined) return session.rows(callRow, newestCalls(sql`organisation_id IS NULL`, limit));
      const { id } = await findOrganisation(session, reference);
      return session.rows(callRow, newestCalls(sql`organisation_id = ${id}::uuid`, limit));
    });
  },
  format: (calls) =>
    calls.length === 0
      ? 'No calls'
      : table(
          ['time (UTC)', 'method', 'path', 'status', 'ms', 'rows', 'key', 'request', 'query'],
          calls.map((call) => [
            call.answeredAt.replace('T', ' ').replace('Z', ''),
            call.method,
            call.path,
            call.status,
            call.durationMs,
            call.rowCount,
            call.keyPrefix,
            call.requestId,
            call.query,
          ]),
        ),
});

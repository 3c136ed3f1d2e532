import { z } from 'zod';
import { usageError } from '../../runtime/command-line/exit.ts';
import { argument, flag, path } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import type { TableDigests } from '../../sql/org/backup-file.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import { JOBS, runJob } from '../jobs/jobs.ts';
import { openKeyring } from '../secrets/encryption-keys.ts';
import { encryptedBy, missingKeys } from '../secrets/missing-keys.ts';
import { adminCommand } from './common/admin-command.ts';
import { findOrganisation } from './common/find-organisation.ts';
import { limitOption } from './common/schemas.ts';
import { listing, moment, table } from './common/text-table.ts';

/** The store as a whole: its backup and tables, the audit log, and the jobs of the service. */

const rowsOf = (tables: TableDigests): string =>
  table(
    ['table', 'rows'],
    Object.entries(tables).map(([name, { rows }]) => [name, rows]),
  );

const allRows = (tables: TableDigests): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

const callRow = z.strictObject({
  ...{ answeredAt: z.iso.datetime(), method: z.string(), path: z.string(), status: z.int(), durationMs: z.int() },
  ...{ rowCount: z.int().nullable(), keyPrefix: z.string().nullable(), requestId: z.uuid() },
  query: z.string().nullable(),
});

const newestCalls = (whose: StoreStatement, limit: number): StoreStatement => sql`
  SELECT answered_at AS "answeredAt", method, path, status, duration_ms AS "durationMs", row_count AS "rowCount",
    key_prefix AS "keyPrefix", request_id AS "requestId", query
  FROM audit_log WHERE ${whose} ORDER BY answered_at DESC, id DESC LIMIT ${limit}`;

const jobRow = z.strictObject({
  ...{ job: z.string(), ranAt: z.iso.datetime(), tookMs: z.int() },
  ...{ outcome: z.string().nullable(), error: z.string().nullable() },
});

const jobNames = Object.keys(JOBS);

export const storeCommands = [
  adminCommand({
    name: 'backup',
    summary: 'write everything in the store into a new file, while the service runs',
    description:
      'Organisations, users, keys, portfolios, usage and the audit log, as they are at one moment. The file is read back ' +
      'and compared before it gets its name; only you can read it. Keep it as safe as the store: it holds the hashes of keys.\n' +
      'E-mail addresses, telephone numbers and secrets of webhooks are encrypted in it: keep their key ' +
      '(STATE_DIR/encryption-key), and not in the same place.',
    examples: ['/backup/organisations-2026-11-22.gz'],
    parameters: { file: path('the new file') },
    storeState: 'unmigrated',
    run: (store, { file }) => store.backup(file),
    format: ({ file, tables }) =>
      `${rowsOf(tables)}\n\nWrote ${counted(allRows(tables), 'row')} to ${file} and read them back; only you can read it.`,
    logFields: ({ file, tables }) => ({ file, rows: allRows(tables) }),
  }),
  adminCommand({
    name: 'restore',
    summary: 'make the store what it was when a backup was written',
    description:
      'All of it or nothing: a file that is damaged, or of a newer release, changes nothing. The store must have no ' +
      'organisation; with --replace everything in it goes. Backups of the embedded store and of a server are alike.',
    examples: ['/backup/organisations-2026-11-22.gz', '/backup/organisations-2026-11-22.gz --replace'],
    parameters: { file: path('the backup'), replace: flag('although the store has organisations: they are replaced') },
    storeState: 'new',
    async run(store, { file, replace = false }, { settings }) {
      const restored = await store.restore(file, replace);
      const keys = openKeyring(settings).keys();
      return { ...restored, missingKeys: await store.asOperator((session) => missingKeys(session, keys)) };
    },
    format: ({ file, createdAt, tables }) =>
      `${rowsOf(tables)}\n\nThe store is what it was on ${moment(createdAt)}: ${counted(allRows(tables), 'row')} of ${file}, read back.`,
    note: ({ missingKeys }) =>
      missingKeys
        .map(
          (missing) =>
            `${encryptedBy(missing)} cannot be read: the key ${missing.keyId} is not here. Bring it back, in ` +
            'STATE_DIR/encryption-key or ENCRYPTION_KEYS',
        )
        .join('\n'),
    logFields: ({ file, createdAt, tables }) => ({ file, createdAt, rows: allRows(tables) }),
  }),
  adminCommand({
    name: 'audit',
    summary: 'the newest calls of an organisation, or those that belong to none',
    examples: ['stadtwerk', 'stadtwerk --limit 100', '--unattributed'],
    parameters: {
      organisation: argument('its external id or its UUID', z.string().optional()),
      unattributed: flag('calls that were refused before it was known whose they are'),
      limit: limitOption('how many', 20),
    },
    run(store, { organisation: reference, unattributed = false, limit }) {
      if ((reference === undefined) !== unattributed) {
        throw usageError('audit takes either an organisation or --unattributed\nHelp: npm run admin -- audit --help');
      }
      return store.asOperator(async (session) => {
        const organisation = reference === undefined ? null : await findOrganisation(session, reference);
        const whose =
          organisation === null ? sql`organisation_id IS NULL` : sql`organisation_id = ${organisation.id}::uuid`;
        return session.rows(callRow, newestCalls(whose, limit));
      });
    },
    format: listing<z.infer<typeof callRow>>('No calls', {
      'time (UTC)': ({ answeredAt }) => answeredAt.replace('T', ' ').replace('Z', ''),
      ...{ method: 'method', path: 'path', status: 'status', ms: 'durationMs', rows: 'rowCount' },
      ...{ key: 'keyPrefix', request: 'requestId', query: 'query' },
    }),
  }),
  adminCommand({
    name: 'jobs',
    summary: 'the last run of each job of the service, and what came of it',
    examples: [''],
    parameters: {},
    run: (store) =>
      store.asOperator((session) =>
        session.rows(
          jobRow,
          sql`SELECT job, ran_at AS "ranAt", took_ms AS "tookMs", outcome, error FROM job_runs ORDER BY job`,
        ),
      ),
    format: listing<z.infer<typeof jobRow>>('No job has run yet: they run in the service.', {
      ...{ job: 'job', ran: 'ranAt', took: ({ tookMs }) => `${tookMs} ms` },
      outcome: ({ outcome, error }) => (error === null ? outcome : `FAILED: ${error}`),
    }),
  }),
  adminCommand({
    name: 'run',
    summary: 'run a job of the service now, for instance after it failed',
    examples: ['sweep'],
    parameters: {
      job: argument(`one of ${jobNames.join(', ')}`, z.enum(jobNames, `must be one of ${jobNames.join(', ')}`)),
    },
    run: async (store, { job }, { settings }) => ({ job, outcome: await runJob(job, store, settings) }),
    format: ({ job, outcome }) => `${job}: ${outcome}.`,
    logFields: (result) => result,
  }),
  adminCommand({
    name: 'migrate',
    summary: 'bring the tables of the store up to date',
    description:
      'The service, and every other command, does so by itself; this is for those who want to see it happen.',
    examples: ['', '--dry-run'],
    parameters: { dryRun: flag('only say what would run') },
    storeState: 'unmigrated',
    async run(store, { dryRun = false }) {
      return { place: store.place, migrations: await store.migrate(dryRun ? 'plan' : 'apply'), dryRun };
    },
    format({ place, migrations, dryRun }) {
      if (migrations.length === 0) return `The tables of ${place} are up to date.`;
      const head = `${counted(migrations.length, 'migration')} ${dryRun ? 'would run' : 'ran'} in ${place}:`;
      return [head, ...migrations.map((name) => `  ${name}`)].join('\n');
    },
    logFields: ({ migrations, dryRun }) => (dryRun || migrations.length === 0 ? null : { migrations }),
  }),
];

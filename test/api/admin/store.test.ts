import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAuditRows } from '../../../sql/org/audit.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type Console, openConsole } from './console.ts';

/** The commands audit, jobs and migrate. */

let admin: Console;

beforeAll(async () => {
  admin = await openConsole();
});

afterAll(() => admin.close());

const call = (organisationId: string | null, minute: number, path: string, query: string | null = null) => ({
  id: randomUUIDv7(),
  organisationId,
  answeredAt: `2026-11-01T08:${String(minute).padStart(2, '0')}:00.000Z`,
  method: 'GET',
  path,
  status: query === null ? 200 : 400,
  durationMs: 5,
  rowCount: query === null ? 3 : null,
  requestId: randomUUIDv7(),
  keyId: null,
  keyPrefix: null,
  query,
  queryHash: null,
});

test('audit shows the newest calls of an organisation, or those of none', async () => {
  const { id } = await admin.json('organisations create werk --name Werk');
  const calls = Array.from({ length: 30 }, (_, minute) => call(id, minute, `/v1/units/${minute}`));
  calls.push(call(null, 40, '/v1/me', 'x=1'));
  await admin.store.asOperator((session) => session.run(insertAuditRows(calls)));
  const shown: { path: string }[] = await admin.json('audit werk');
  expect(shown.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, index) => `/v1/units/${29 - index}`));
  expect(await admin.json('audit werk --limit 3')).toHaveLength(3);
  expect(await admin.json('audit werk --limit 100')).toHaveLength(30);
  expect(await admin.json('audit --unattributed')).toMatchObject([{ path: '/v1/me', status: 400, query: 'x=1' }]);
  expect((await admin.run('audit --unattributed')).out).toMatch(
    /^time \(UTC\) .*\n2026-11-01 08:40:00\.000 {2}GET {5}\/v1\/me {5}400 {3}5 {2}- .* x=1\n$/,
  );
});

test.each(['audit', 'audit werk --unattributed'])(
  '%s is refused: it needs either an organisation or --unattributed',
  async (line) => {
    expect(await admin.run(line)).toEqual({
      code: 2,
      out: '',
      err: 'audit takes either an organisation or --unattributed\nHelp: npm run admin -- audit --help\n',
    });
  },
);

test('jobs shows the last run of each', async () => {
  expect((await admin.run('jobs')).out).toBe('No job has run yet: they run in the service.\n');
  await admin.store.asOperator((session) =>
    session.run(sql`
      INSERT INTO job_runs (job, ran_at, took_ms, outcome, error) VALUES
        ('sweep', '2026-11-01T08:00:00Z', 12, 'removed 3 audit entries', NULL),
        ('mail', '2026-11-01T09:00:00Z', 1200, NULL, 'no route to host')`),
  );
  expect((await admin.run('jobs')).out).toBe(
    [
      'job    ran                   took     outcome',
      'mail   2026-11-01 09:00 UTC  1200 ms  FAILED: no route to host',
      'sweep  2026-11-01 08:00 UTC  12 ms    removed 3 audit entries',
      '',
    ].join('\n'),
  );
  expect(await admin.json('jobs')).toMatchObject([
    { job: 'mail', error: 'no route to host' },
    { job: 'sweep', tookMs: 12 },
  ]);
});

test('migrate lists the migrations that ran or would run', async () => {
  expect(await admin.json('migrate')).toEqual({ place: admin.store.place, migrations: [], dryRun: false });
  expect((await admin.run('migrate --dry-run')).out).toBe(`The tables of ${admin.store.place} are up to date.\n`);
});

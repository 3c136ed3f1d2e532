import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import { adminCommand } from './common/admin-command.ts';
import { moment, table } from './common/text-table.ts';

const jobRow = z.strictObject({
  job: z.string(),
  ranAt: z.iso.datetime(),
  tookMs: z.int(),
  outcome: z.string().nullable(),
  error: z.string().nullable(),
});

export const listJobs = adminCommand({
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
  format: (jobs) =>
    jobs.length === 0
      ? 'No job has run yet: they run in the service.'
      : table(
          ['job', 'ran', 'took', 'outcome'],
          jobs.map(({ job, ranAt, tookMs, outcome, error }) => [
            job,
            moment(ranAt),
            `${tookMs} ms`,
            error === null ? outcome : `FAILED: ${error}`,
          ]),
        ),
});

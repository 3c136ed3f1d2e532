import { z } from 'zod';
import { EVALUATIONS_KEPT_DAYS } from '../../sql/org/alerts/evaluations.ts';
import { type RunRow, runRow, runsOf } from '../../sql/org/alerts/runs.ts';
import { operation } from '../operation/operation.ts';
import { alertPath, EXAMPLE_ALERT } from './alert.ts';
import { alertIn, heldAlerts } from './held.ts';

/** Runs that are listed: some weeks of nights. */
const MOST_RUNS = 30;

const run = z
  .strictObject({
    datasetVersion: z.string().describe('The version that was published'),
    evaluatedAt: z.iso.datetime(),
    outcome: z.enum(['NO_MATCH', 'FIRED', 'FAULTY']).describe('FAULTY: it could not be evaluated, and fired nothing'),
    matchCount: z.int().describe('Units that matched'),
    fault: z.string().nullable(),
    eventId: z.uuid().nullable().describe('The event that it fired; `eventId` of GET /v1/units lists its units'),
    webhooks: z
      .strictObject({ delivered: z.int(), pending: z.int(), failed: z.int(), skipped: z.int() })
      .nullable()
      .describe('Deliveries of the event by state; null: it fired none, or the event is forgotten'),
    emails: z
      .strictObject({
        sent: z.int(),
        waiting: z.int(),
        failed: z.int().describe('Given up'),
        error: z
          .string()
          .nullable()
          .describe('Of the last attempt that failed: the code of the mail server, or of the connection'),
      })
      .describe('Messages to its addresses, by what became of them'),
  })
  .meta({ id: 'AlertRun' });

export const listRuns = operation({
  id: 'alerts.runs',
  method: 'GET',
  path: '/v1/alerts/{id}/runs',
  summary: 'The last runs of an alert, the newest first',
  description: `At most ${MOST_RUNS}: one for each version since it has asked what it asks now, and kept ${EVALUATIONS_KEPT_DAYS} days.`,
  access: 'api',
  scope: 'alerts:read',
  cost: 'standard',
  source: 'service',
  pathParameters: alertPath,
  answer: z.strictObject({ data: z.array(run), meta: z.strictObject({ count: z.int() }) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_ALERT } },
  async handle({ path, caller, records }) {
    const organisationId = caller.organisation.id;
    const rows = await records(async (session) => {
      const { id } = alertIn((await heldAlerts(session, organisationId)).alerts, path.id);
      return session.rows(runRow, runsOf(organisationId, id, MOST_RUNS));
    });
    return { body: { data: rows.map(shownRun), meta: { count: rows.length } } };
  },
});

const shownRun = ({ version, evaluatedAt, outcome, matches, fault, eventId, ...row }: RunRow): z.infer<typeof run> => {
  const { DELIVERED = 0, PENDING = 0, FAILED = 0, SKIPPED = 0 } = row.deliveries;
  return {
    ...{ datasetVersion: version, evaluatedAt, outcome, matchCount: matches, fault, eventId },
    webhooks: row.eventIsKept ? { delivered: DELIVERED, pending: PENDING, failed: FAILED, skipped: SKIPPED } : null,
    emails: { sent: row.emailsSent, waiting: row.emailsWaiting, failed: row.emailsFailed, error: row.emailError },
  };
};

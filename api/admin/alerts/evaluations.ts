import { z } from 'zod';
import { argument, option } from '../../../runtime/command-line/parameter.ts';
import {
  alertOutcomeRow,
  type EvaluationRow,
  evaluationRow,
  evaluationsByAge,
  outcomesByAge,
} from '../../../sql/org/alerts/evaluations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation } from '../common/find-organisation.ts';
import { count } from '../common/schemas.ts';
import { moment, table } from '../common/text-table.ts';
import { findAlert } from './find-alert.ts';

const NEWEST = 20;

const anyText = () => z.string().min(1, 'must not be empty').optional();

export const listEvaluations = adminCommand({
  name: 'alerts evaluations',
  summary: 'the newest versions that alerts were evaluated for, or what became of the alerts of an organisation',
  description:
    'Without an organisation: each version with the one that it was compared with, and the reason where an evaluation failed. ' +
    'With one: each of its alerts, or the one that is named, with each version. Both are kept 90 days.',
  examples: ['', 'stadtwerk', 'stadtwerk "Neue Speicher" --limit 100'],
  parameters: {
    organisation: argument('its external id or its UUID', anyText()),
    alert: argument('its name or its UUID', anyText()),
    limit: option('<n>', `how many (default: ${NEWEST})`, count(10_000).optional().default(NEWEST)),
  },
  run: async (store, { organisation, alert, limit }) => ({
    evaluations: organisation === undefined ? await evaluationsOf(store, limit) : null,
    outcomes: organisation === undefined ? null : await outcomesOf(store, organisation, alert, limit),
  }),
  format({ evaluations, outcomes }) {
    if (evaluations !== null && evaluations.length > 0) return evaluationTable(evaluations);
    if (outcomes !== null && outcomes.length > 0) return outcomeTable(outcomes);
    return 'No evaluations';
  },
});

const evaluationsOf = (store: OrgStore, limit: number) =>
  store.asOperator((session) => session.rows(evaluationRow, evaluationsByAge(limit)));

const outcomesOf = (store: OrgStore, reference: string, named: string | undefined, limit: number) =>
  store.asOperator(async (session) => {
    const organisation = await findOrganisation(session, reference);
    const alertId = named === undefined ? null : (await findAlert(session, organisation, named)).id;
    return session.rows(alertOutcomeRow, outcomesByAge(organisation.id, alertId, limit));
  });

const evaluationTable = (evaluations: readonly EvaluationRow[]): string =>
  table(
    ['version', 'published', 'compared with', 'state', 'ended', 'changed units', 'alerts', 'events', 'error'],
    evaluations.map((row) => [
      row.version,
      moment(row.publishedAt),
      row.comparedWith,
      stateOf(row),
      moment(row.endedAt),
      row.changedUnits,
      row.evaluatedAlerts,
      row.events,
      row.error,
    ]),
  );

/** A claim that is over, or was given back, is taken up by the next instance that looks. */
function stateOf({ endedAt, claimedUntil, error }: EvaluationRow): string {
  if (endedAt !== null) return error === null ? 'done' : 'given up';
  if (error !== null) return 'failed, is tried again';
  return claimedUntil !== null && Date.parse(claimedUntil) > Date.now() ? 'under way' : 'broken off, is taken up';
}

const outcomeTable = (outcomes: readonly z.infer<typeof alertOutcomeRow>[]): string =>
  table(
    ['alert', 'version', 'evaluated', 'outcome', 'matches', 'event', 'fault'],
    outcomes.map((row) => [
      row.alert.name,
      row.version,
      moment(row.evaluatedAt),
      row.outcome,
      row.matches,
      row.eventId,
      row.fault,
    ]),
  );

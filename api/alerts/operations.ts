import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type AlertRow,
  type AlertRules,
  alertRow,
  alertsOf,
  alertsToChange,
  deleteAlert,
  putAlerts,
} from '../../sql/org/alerts/alerts.ts';
import { organisationOf, organisationRow, organisationToChange } from '../../sql/org/organisations.ts';
import type { AlertTemplate } from '../../sql/org/rights.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { Problem, violated } from '../problem/problem.ts';
import { alertPath, alertShape, EXAMPLE_ALERT, shownAlert, writtenMembers } from './alert.ts';
import { type AlertHolder, alertHolder, alertQuestion } from './question.ts';
import { asksTheSame } from './rules.ts';

/** An organisation looks after its alerts. */

const answer = z.strictObject({ data: alertShape, meta: z.strictObject({}) });

const writing = {
  access: 'api',
  scope: 'alerts:write',
  cost: 'mutation',
  replayable: true,
  source: 'service',
} as const;

export const listAlerts = operation({
  id: 'alerts.list',
  method: 'GET',
  path: '/v1/alerts',
  summary: 'Alerts, by name',
  access: 'api',
  scope: 'alerts:read',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({ data: z.array(alertShape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ caller, records }) {
    const { holder, alerts } = await records((session) => heldAlerts(session, caller.organisation.id));
    return { body: { data: alerts.map((alert) => shownAlert(alert, holder)), meta: { count: alerts.length } } };
  },
});

export const createAlert = operation({
  ...writing,
  id: 'alerts.create',
  method: 'POST',
  path: '/v1/alerts',
  summary: 'A new alert, which tells of units in each new version',
  description:
    'It is evaluated once for each version that is published from now on. Without criteria, every unit meets it.',
  body: z.strictObject({
    name: writtenMembers.name,
    template: writtenMembers.template,
    signals: writtenMembers.signals.optional(),
    criteria: writtenMembers.criteria.optional(),
    savedFilterId: writtenMembers.savedFilterId.optional(),
    enabled: writtenMembers.enabled.optional(),
  }),
  answer,
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: {
    body: {
      name: 'Neue Großspeicher',
      template: 'NEW_UNIT',
      criteria: { einheitTyp: ['storage'], leistungMinKw: 1000 },
    },
  },
  async handle({ body, caller, records }) {
    const { id: organisationId, limits } = caller.organisation;
    const data = await records(async (session) => {
      const { holder, alerts } = await lockedAlerts(session, organisationId);
      mustBeFree(alerts, body.name);
      if (alerts.length >= limits.maxAlerts) {
        const detail = `The organisation has ${alerts.length} alerts, and its limit maxAlerts is ${limits.maxAlerts}; delete one, or ask the operator for more`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const now = new Date().toISOString();
      const { name, enabled = true, ...sent } = body;
      const alert: AlertRow = {
        ...{ id: randomUUIDv7(), name, ...rulesOf(sent.template, sent, EVERY_UNIT), enabled, enabledAt: now },
        ...{ fault: null, faultySince: null, createdAt: now, updatedAt: now },
      };
      await mustBeAskable(session, alert, holder);
      await session.run(putAlerts(organisationId, [alert]));
      return shownAlert(alert, holder);
    });
    return { body: { data, meta: {} } };
  },
});

export const changeAlert = operation({
  ...writing,
  id: 'alerts.change',
  method: 'PATCH',
  path: '/v1/alerts/{id}',
  summary: 'Change an alert, disable or enable it',
  description:
    'Members that are left out stay as they are. What it asks anew holds for versions that are published from now on.',
  pathParameters: alertPath,
  body: z.strictObject({
    name: writtenMembers.name.optional(),
    template: writtenMembers.template.optional(),
    signals: writtenMembers.signals.optional(),
    criteria: writtenMembers.criteria.optional(),
    savedFilterId: writtenMembers.savedFilterId.optional(),
    enabled: writtenMembers.enabled.optional(),
  }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_ALERT }, body: { enabled: false } },
  async handle({ path, body, caller, records }) {
    const organisationId = caller.organisation.id;
    const data = await records(async (session) => {
      const { holder, alerts } = await lockedAlerts(session, organisationId);
      const present = alertIn(alerts, path.id);
      const { name = present.name, enabled = present.enabled, ...sent } = body;
      if (name !== present.name) mustBeFree(alerts, name);
      const now = new Date().toISOString();
      const rules = rulesOf(sent.template ?? present.template, sent, present);
      const begins = !asksTheSame({ ...present, ...rules }, present) || (enabled && !present.enabled);
      const wanted: AlertRow = {
        ...present,
        ...{ name, enabled, ...rules },
        // What it met before says nothing about what it asks now.
        ...(begins ? { enabledAt: now, fault: null, faultySince: null } : {}),
      };
      // An alert that cannot be evaluated any more can still be renamed and disabled.
      if (begins) await mustBeAskable(session, wanted, holder);
      if (isDeepStrictEqual(wanted, present)) return shownAlert(present, holder);
      const changed = { ...wanted, updatedAt: now };
      await session.run(putAlerts(organisationId, [changed]));
      return shownAlert(changed, holder);
    });
    return { body: { data, meta: {} } };
  },
});

export const removeAlert = operation({
  ...writing,
  id: 'alerts.delete',
  method: 'DELETE',
  path: '/v1/alerts/{id}',
  summary: 'Delete an alert, with the record of its evaluations',
  description: 'Events that it has fired stay.',
  pathParameters: alertPath,
  answer: z.strictObject({
    data: z.null(),
    meta: z.strictObject({ deleted: z.uuid().describe('Id of the alert that was') }),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_ALERT } },
  async handle({ path, caller, records }) {
    const deleted = await records(async (session) => {
      const { id } = alertIn((await lockedAlerts(session, caller.organisation.id)).alerts, path.id);
      await session.run(deleteAlert(id));
      return id;
    });
    return { body: { data: null, meta: { deleted } } };
  },
});

interface HeldAlerts {
  /** All that the alerts depend on. */
  readonly holder: AlertHolder;
  /** Sorted by name in German. */
  readonly alerts: readonly AlertRow[];
}

async function heldAlerts(
  session: Session,
  organisationId: string,
  [organisation, alerts]: readonly [typeof organisationOf, typeof alertsOf] = [organisationOf, alertsOf],
): Promise<HeldAlerts> {
  return {
    holder: await alertHolder(session, await singleRow(session, organisationRow, organisation(organisationId))),
    alerts: await session.rows(alertRow, alerts(organisationId)),
  };
}

/** Locks number and names of the alerts, and what evaluations find out about each, until the transaction ends. */
const lockedAlerts = (session: Session, organisationId: string): Promise<HeldAlerts> =>
  heldAlerts(session, organisationId, [organisationToChange, alertsToChange]);

/** @throws Problem NOT_FOUND */
function alertIn(alerts: readonly AlertRow[], id: string): AlertRow {
  const found = alerts.find((alert) => alert.id === id.toLowerCase());
  if (found !== undefined) return found;
  throw new Problem('NOT_FOUND', 'The organisation has no alert with this id; GET /v1/alerts lists them');
}

/** @throws Problem CONFLICT when an alert has the name */
function mustBeFree(alerts: readonly AlertRow[], name: string): void {
  const namesake = alerts.find((alert) => alert.name === name);
  if (namesake === undefined) return;
  throw new Problem(
    'CONFLICT',
    `The alert ${namesake.id} has this name already; take another name, or change that one`,
  );
}

const EVERY_UNIT = { signals: [], criteria: {}, savedFilterId: null } as const;

interface SentRules {
  readonly signals?: readonly string[] | undefined;
  readonly criteria?: Readonly<Record<string, unknown>> | undefined;
  readonly savedFilterId?: string | undefined;
}

/**
 * What an alert asks: what was sent, over what it asked before.
 * @throws Problem UNPROCESSABLE for a combination that no alert has
 */
function rulesOf(
  template: AlertTemplate,
  { signals, criteria, savedFilterId }: SentRules,
  present: Pick<AlertRules, 'criteria' | 'savedFilterId'> & { readonly signals: readonly string[] },
): AlertRules {
  const refuse = (member: keyof SentRules, what: string): never => {
    throw violated([{ pointer: `#/${member}`, code: 'UNPROCESSABLE', detail: `${member} ${what}` }]);
  };
  if (criteria !== undefined && savedFilterId !== undefined) {
    refuse('savedFilterId', 'stands instead of criteria: an alert has criteria of its own, or those of a saved filter');
  }
  const watches = template === 'SIGNAL_CHANGE';
  const watched = watches ? (signals ?? present.signals) : [];
  if (watches && watched.length === 0) refuse('signals', 'must name what a SIGNAL_CHANGE watches');
  if (!watches && (signals ?? []).length > 0)
    refuse('signals', `must be empty: an alert from ${template} watches none`);
  return {
    template,
    signals: [...new Set(watched)],
    criteria: criteria ?? (savedFilterId === undefined ? present.criteria : null),
    savedFilterId: savedFilterId?.toLowerCase() ?? (criteria === undefined ? present.savedFilterId : null),
  };
}

/** @throws Problem UNPROCESSABLE saying why the alert would be faulty */
async function mustBeAskable(session: Session, rules: AlertRules, holder: AlertHolder): Promise<void> {
  const { fault } = await alertQuestion(session, rules, holder);
  if (fault !== null) throw new Problem('UNPROCESSABLE', fault);
}

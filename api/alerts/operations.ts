import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type AlertRow, type AlertRules, deleteAlert, putAlerts } from '../../sql/org/alerts/alerts.ts';
import { emailCounts, emailsOf, putEmails } from '../../sql/org/alerts/emails.ts';
import { KeyMissing } from '../../sql/org/encryption.ts';
import type { AlertTemplate } from '../../sql/org/rights.ts';
import type { Session } from '../../sql/org/store.ts';
import type { Caller } from '../access/caller.ts';
import { mustHaveScope } from '../access/rights.ts';
import { hintsShape } from '../hints/hints.ts';
import { type Call, type OperationResult, operation } from '../operation/operation.ts';
import type { Service } from '../operation/service.ts';
import { mustBeFree } from '../problem/own-rows.ts';
import { Problem, violated } from '../problem/problem.ts';
import { mustBeKeepable } from '../saved-filters/criteria.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { deletedBody, deletedShape } from '../wire/deleted.ts';
import { alertPath, alertShape, EXAMPLE_ALERT, listedAlertShape, shownAlert, writtenMembers } from './alert.ts';
import { alertIn, heldAlerts, lockedAlerts } from './held.ts';
import { sendsMail } from './mail/sends-mail.ts';
import { neverToldHint } from './never-told.ts';
import { type AlertHolder, alertQuestion, asksPortfolio } from './question.ts';
import { asksTheSame, EVERY_UNIT, rulesWith, type WrittenRules } from './rules.ts';

/** An organisation looks after its alerts. */

const answer = z.strictObject({ data: alertShape, meta: z.strictObject(hintsShape) });

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
  answer: z.strictObject({
    data: z.array(listedAlertShape),
    meta: z.strictObject({
      count: z.int(),
      sendsEmails: z
        .boolean()
        .describe('Whether this service sends e-mails: without a mail server, `emails` are refused'),
    }),
  }),
  async handle({ caller, service, records }) {
    const { id } = caller.organisation;
    const { holder, alerts, counts, emails } = await records(async (session) => ({
      ...(await heldAlerts(session, id)),
      counts: await emailCounts(session, id),
      emails: await emailsOf(session, service.keyring, id).catch(unreadable),
    }));
    const data = alerts.map((alert) => ({
      ...shownAlert(alert, holder, counts.get(alert.id) ?? 0),
      emails: emails === null ? null : (emails.get(alert.id) ?? []),
    }));
    return { body: { data, meta: { count: alerts.length, sendsEmails: sendsMail(service.settings) } } };
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
    fields: writtenMembers.fields.optional(),
    criteria: writtenMembers.criteria.optional(),
    savedFilterId: writtenMembers.savedFilterId.optional(),
    enabled: writtenMembers.enabled.optional(),
    emails: writtenMembers.emails,
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
  async handle(call) {
    const { body, caller, service, records } = call;
    mustSendMail(body.emails, service);
    const { id: organisationId, limits } = caller.organisation;
    const made = await records(async (session) => {
      const { holder, alerts } = await lockedAlerts(session, organisationId);
      mustBeFree(alerts, body.name, named);
      if (alerts.length >= limits.maxAlerts) {
        const detail = `The organisation has ${alerts.length} alerts, and its limit maxAlerts is ${limits.maxAlerts}; delete one, or ask the operator for more`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const now = new Date().toISOString();
      const { name, enabled = true, emails = [], ...sent } = body;
      const alert: AlertRow = {
        ...{ id: randomUUIDv7(), name, ...rulesOf(sent.template, sent, EVERY_UNIT), enabled, enabledAt: now },
        ...{ fault: null, faultySince: null, createdAt: now, updatedAt: now },
      };
      mustReadPortfolio(alert, caller);
      await mustBeAskable(session, alert, holder);
      await session.run(putAlerts(organisationId, [alert]));
      if (emails.length > 0) await giveEmails(session, service, { organisationId, alertId: alert.id }, emails);
      return { alert, holder, emailCount: new Set(emails).size };
    });
    return answered(made, call);
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
    fields: writtenMembers.fields.optional(),
    criteria: writtenMembers.criteria.optional(),
    savedFilterId: writtenMembers.savedFilterId.optional(),
    enabled: writtenMembers.enabled.optional(),
    emails: writtenMembers.emails,
  }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_ALERT }, body: { enabled: false } },
  async handle(call) {
    const { path, body, caller, service, records } = call;
    mustSendMail(body.emails, service);
    const organisationId = caller.organisation.id;
    const changed = await records(async (session) => {
      const { holder, alerts } = await lockedAlerts(session, organisationId);
      const present = alertIn(alerts, path.id);
      const { name = present.name, enabled = present.enabled, emails, ...sent } = body;
      mustBeFree(alerts, name, named, present.id);
      const now = new Date().toISOString();
      const rules = rulesOf(sent.template ?? present.template, sent, present);
      const begins = !asksTheSame({ ...present, ...rules }, present) || (enabled && !present.enabled);
      const wanted: AlertRow = {
        ...present,
        ...{ name, enabled, ...rules },
        // A fault that was met before says nothing about what it asks now.
        ...(begins ? { enabledAt: now, fault: null, faultySince: null } : {}),
      };
      // An alert that cannot be evaluated any more can still be renamed and disabled.
      if (begins || emails !== undefined) mustReadPortfolio(wanted, caller);
      if (begins) await mustBeAskable(session, wanted, holder);
      const emailCount = async (): Promise<number> => (await emailCounts(session, organisationId)).get(present.id) ?? 0;
      if (isDeepStrictEqual(wanted, present) && emails === undefined) {
        return { alert: present, holder, emailCount: await emailCount() };
      }
      const alert = { ...wanted, updatedAt: now };
      await session.run(putAlerts(organisationId, [alert]));
      if (emails !== undefined) await giveEmails(session, service, { organisationId, alertId: alert.id }, emails);
      return { alert, holder, emailCount: await emailCount() };
    });
    return answered(changed, call);
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
  answer: deletedShape('alert'),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_ALERT } },
  async handle({ path, caller, records }) {
    const deleted = await records(async (session) => {
      const { id } = alertIn((await lockedAlerts(session, caller.organisation.id)).alerts, path.id);
      await session.run(deleteAlert(id));
      return id;
    });
    return { body: deletedBody(deleted) };
  },
});

/** Answers with an alert, and with a word about units that it names and will never tell of. */
async function answered(
  {
    alert,
    holder,
    emailCount,
  }: { readonly alert: AlertRow; readonly holder: AlertHolder; readonly emailCount: number },
  { dataset }: Pick<Call, 'dataset'>,
): Promise<OperationResult> {
  const hint = await neverToldHint(alert, holder, dataset);
  return { body: { data: shownAlert(alert, holder, emailCount), meta: hint === null ? {} : { hinweise: [hint] } } };
}

/** @throws Problem UNPROCESSABLE where the operator has set no mail server */
function mustSendMail(emails: readonly string[] | undefined, { settings }: Pick<Service, 'settings'>): void {
  if (emails === undefined || emails.length === 0 || sendsMail(settings)) return;
  const detail =
    'emails must be empty: this service sends no e-mails, as its operator has set no mail server (SMTP_URL, SMTP_FROM)';
  throw violated([{ pointer: '#/emails', code: 'UNPROCESSABLE', detail }]);
}

/** Alerts are listed also while a key is missing: so they can be found, and deleted. */
function unreadable(error: unknown): null {
  if (error instanceof KeyMissing) return null;
  throw error;
}

const giveEmails = (
  session: Session,
  { keyring }: Pick<Service, 'keyring'>,
  of: Parameters<typeof putEmails>[2],
  emails: readonly string[],
): Promise<void> =>
  putEmails(session, keyring, of, [...new Set(emails)]).catch(refuseUnreadable('E-mail addresses of alerts'));

const named = ({ id }: AlertRow): string => `alert ${id}`;

/** Puts what was sent over the rules that an alert has. @throws Problem UNPROCESSABLE for a combination that no alert has */
function rulesOf(template: AlertTemplate, sent: WrittenRules, present: Parameters<typeof rulesWith>[2]): AlertRules {
  mustBeKeepable(sent.criteria);
  const { rules, fault } = rulesWith(template, sent, present);
  if (fault === null) return rules;
  const { member, message } = fault;
  throw violated([{ pointer: `#/${member}`, code: 'UNPROCESSABLE', detail: `${member} ${message}` }]);
}

/** What an alert tells of the portfolio is for whoever may read it. @throws Problem MISSING_SCOPE */
function mustReadPortfolio(alert: AlertRow, caller: Caller): void {
  if (asksPortfolio(alert)) mustHaveScope(caller, 'portfolio:read', 'The filter portfolio');
}

/** @throws Problem UNPROCESSABLE saying why the alert would be faulty */
async function mustBeAskable(session: Session, rules: AlertRules, holder: AlertHolder): Promise<void> {
  const { fault } = await alertQuestion(session, rules, holder);
  if (fault !== null) throw new Problem('UNPROCESSABLE', fault);
}

import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import type { AlertRow } from '../../sql/org/alerts/alerts.ts';
import { addressOf, emailRow, emailsOfAlert } from '../../sql/org/alerts/emails.ts';
import { SECONDS_BETWEEN_TESTS, takeTestTurn } from '../../sql/org/alerts/runs.ts';
import { type Keyring, withKeyring } from '../../sql/org/encryption.ts';
import { ALERT_TEMPLATE_NAMES } from '../../sql/org/rights.ts';
import { endpointRow, endpointsOf } from '../../sql/org/webhooks/endpoints.ts';
import { signingSecrets } from '../../sql/org/webhooks/secrets.ts';
import { alertTest, alertTest2 } from '../events/event.ts';
import { comparedFields } from '../history/compared.ts';
import { type Call, operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { statesOf } from '../state/state.ts';
import { filterConditions, numbersCondition } from '../units/filters.ts';
import { portfolioUnits } from '../units/portfolio.ts';
import { readPage } from '../units/read.ts';
import { grantedFields, sortKeys } from '../units/selection.ts';
import { send } from '../webhooks/delivery/send.ts';
import { requireWebhooks } from '../webhooks/require-webhooks.ts';
import { alertPath, EXAMPLE_ALERT } from './alert.ts';
import { changedMatches } from './details.ts';
import { alertIn, heldAlerts } from './held.ts';
import { codeOf, unitsOf } from './mail/mailer.ts';
import { MOST_NAMED, messageOf } from './mail/message.ts';
import { openSmtp, type SmtpServer } from './mail/smtp.ts';
import { alertQuestion, asksPortfolio } from './question.ts';

/**
 * A test of an alert: what would be sent is sent once, marked as a test, or shown. It names units that meet the filter now, since
 * there may be no news to tell of. It is no event and no run: no list has it, and nobody sends it again.
 */

/** Longer than a mail server takes; a person waits for the answer. */
const MAIL_TIMEOUT_MS = 20_000;

const sent = z.strictObject({
  to: z.enum(['WEBHOOK', 'EMAIL']),
  endpointId: z.uuid().nullable().describe('The endpoint; null for an e-mail'),
  arrived: z.boolean().describe('The endpoint answered 2xx, or the mail server took the message'),
  error: z.string().nullable().describe('Why not: the status, the code of the mail server, or of the connection'),
});

type Sent = z.infer<typeof sent>;

export const testAlert = operation({
  id: 'alerts.test',
  method: 'POST',
  path: '/v1/alerts/{id}/test',
  summary: 'Try an alert: send a test by webhook or e-mail, or show what it asks',
  description: `Once a ${SECONDS_BETWEEN_TESTS === 60 ? 'minute' : 'while'} for the organisation, where something is sent. It fires nothing: no event, no run.`,
  access: 'api',
  scope: 'alerts:write',
  cost: 'mutation',
  source: 'service',
  pathParameters: alertPath,
  body: z.strictObject({
    via: z
      .enum(['ANSWER', 'WEBHOOK', 'EMAIL'], 'must be one of ANSWER, WEBHOOK, EMAIL')
      .describe(
        'ANSWER: nothing is sent. WEBHOOK: to each enabled endpoint that takes alert.triggered. EMAIL: to its addresses',
      ),
  }),
  answer: z.strictObject({
    data: z
      .strictObject({
        alert: z.strictObject({ id: z.uuid(), name: z.string(), template: z.enum(ALERT_TEMPLATE_NAMES) }),
        matchCount: z.int().describe('Units of the current version that meet its filter, whether new or not'),
        matches: z.array(z.strictObject({ mastrNummer: z.string() })).describe(`The first ${MOST_NAMED} of them`),
        sent: z.array(sent).describe('Empty for ANSWER'),
      })
      .meta({ id: 'AlertTest' }),
    meta: z.strictObject({}),
  }),
  problems: [
    'NOT_FOUND',
    'UNPROCESSABLE',
    'DATASET_NOT_READY',
    'MISSING_MODULE',
    'FILTER_CONFLICT',
    'SERVICE_UNAVAILABLE',
  ],
  example: { path: { id: EXAMPLE_ALERT }, body: { via: 'ANSWER' } },
  async handle(call) {
    const { alert, matchCount, numbers } = await found(call);
    const { via } = call.body;
    const trial = { call, alert, matchCount, numbers };
    const results = via === 'WEBHOOK' ? await sendWebhooks(trial) : via === 'EMAIL' ? await sendEmails(trial) : [];
    const { id, name, template } = alert;
    const matches = numbers.map((mastrNummer) => ({ mastrNummer }));
    return { body: { data: { alert: { id, name, template }, matchCount, matches, sent: results }, meta: {} } };
  },
});

type TestCall = Pick<Call, 'caller' | 'dataset' | 'records' | 'service' | 'today'> & {
  readonly path: { readonly id: string };
};

interface Trial {
  readonly call: TestCall;
  readonly alert: AlertRow;
  readonly matchCount: number;
  readonly numbers: readonly string[];
}

/** @throws Problem UNPROCESSABLE with the fault of the alert */
async function found({ path, caller, dataset, records, today }: TestCall): Promise<Omit<Trial, 'call'>> {
  const { alert, conditions } = await records(async (session) => {
    const { holder, alerts } = await heldAlerts(session, caller.organisation.id);
    const alert = alertIn(alerts, path.id);
    const { conditions, fault } = await alertQuestion(session, alert, holder);
    if (conditions === null) throw new Problem('UNPROCESSABLE', `The alert cannot be evaluated: ${fault}`);
    return { alert, conditions: [...conditions] };
  });
  if (asksPortfolio(alert))
    conditions.push(numbersCondition(await portfolioUnits({ portfolio: true }, { caller, records })));
  const watched = alert.signals.length === 0 ? [] : filterConditions({ signals: alert.signals });
  const { rows, total } = await readPage(
    dataset(),
    {
      ...{ conditions: [...conditions, ...watched], today, sort: sortKeys([]) },
      ...{ after: null, delivered: 0, limit: MOST_NAMED, total: null },
    },
    [fieldNamed('mastrNummer')],
  );
  return { alert, matchCount: total, numbers: rows.map(({ mastrNummer }) => String(mastrNummer)) };
}

/** @throws Problem UNPROCESSABLE: a limit of calls is waited for, and what comes then is a surprise */
async function takeTurn({ caller, service }: TestCall): Promise<void> {
  const taken = await service.store.asOperator((session) => session.run(takeTestTurn(caller.organisation.id)));
  if (taken > 0) return;
  throw new Problem('UNPROCESSABLE', `A test was sent less than ${SECONDS_BETWEEN_TESTS} seconds ago`);
}

async function sendWebhooks({ call, alert, ...units }: Trial): Promise<Sent[]> {
  const { caller, records, service } = call;
  requireWebhooks(caller);
  const before = service.keyring.keys();
  const all = await records((session) => session.rows(endpointRow, endpointsOf(caller.organisation.id)));
  const endpoints = all.filter(
    ({ disabled, eventTypes }) => !disabled && (eventTypes === null || eventTypes.includes('alert.triggered')),
  );
  if (endpoints.length === 0) {
    throw new Problem('UNPROCESSABLE', 'No enabled webhook endpoint of the organisation takes alert.triggered');
  }
  const message = alertTest(`test_${randomUUIDv7()}`, new Date(), alert, units);
  const prepared = endpoints.map(({ ...endpoint }) => ({
    endpoint,
    secrets: read(service.keyring, 'Secrets of webhook endpoints', before, (keys) =>
      signingSecrets(endpoint, keys, new Date()),
    ),
  }));
  const form1 = JSON.stringify(message);
  const form2 = endpoints.some(({ schemaVersion }) => schemaVersion === 2)
    ? JSON.stringify(alertTest2(message, await changesOf(units.numbers, call)))
    : form1;
  await takeTurn(call);
  return Promise.all(
    prepared.map(async ({ endpoint: { id, url, schemaVersion }, secrets }): Promise<Sent> => {
      const body = schemaVersion === 2 ? form2 : form1;
      const result = await send({ id: message.eventId, body, url, secrets }, { addresses: service.webhookAddresses });
      const arrived = 'status' in result && result.status >= 200 && result.status < 300;
      const error = arrived ? null : 'status' in result ? String(result.status) : result.error;
      return { to: 'WEBHOOK', endpointId: id, arrived, error };
    }),
  );
}

/** What changed of units with the version that is served. */
async function changesOf(numbers: readonly string[], { caller: { organisation }, dataset, today }: TestCall) {
  const current = dataset();
  const before = (await statesOf(current)).at(-2)?.build ?? null;
  const fields = comparedFields(grantedFields(organisation.modules));
  return changedMatches(numbers, { current, before }, { fields, signals: organisation.signals, today });
}

async function sendEmails({ call, alert, matchCount, numbers }: Trial): Promise<Sent[]> {
  const { caller, records, service } = call;
  const before = service.keyring.keys();
  const rows = await records((session) => session.rows(emailRow, emailsOfAlert(caller.organisation.id, alert.id)));
  if (rows.length === 0) throw new Problem('UNPROCESSABLE', 'The alert has no e-mail addresses');
  const smtp = await openSmtp(service.settings);
  if (smtp === null)
    throw new Problem('UNPROCESSABLE', 'This service sends no e-mails: its operator has set no mail server');
  try {
    const addresses = read(service.keyring, 'E-mail addresses of alerts', before, (keys) =>
      rows.map((row) => ({ id: row.id, to: addressOf(row, keys) })),
    );
    await takeTurn(call);
    const units = await unitsOf({ organisationId: caller.organisation.id, id: alert.id }, numbers, service);
    const { BASE_URL, APP_URL } = service.settings;
    const test = randomUUIDv7();
    return await Promise.all(
      addresses.map(async ({ id, to }): Promise<Sent> => {
        const unsubscribe = `${BASE_URL}/unsubscribe/${service.unsubscriptions.tokenOf(id)}`;
        const pageOf = (number: string): string => `${APP_URL}/einheiten/${number}`;
        const told = { alert, count: matchCount, numbers, units, lists: [], pageOf, unsubscribe, isTest: true };
        const error = await errorOf(smtp.send({ to, ...messageOf(told), unsubscribe, id: `${test}.${id}` }));
        return { to: 'EMAIL', endpointId: null, arrived: error === null, error };
      }),
    );
  } finally {
    smtp.close();
  }
}

/** The code of what went wrong, since a mail server's words name the address; null = it took the message. */
async function errorOf(sending: ReturnType<SmtpServer['send']>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve('TIMEOUT'), MAIL_TIMEOUT_MS);
  try {
    return await Promise.race([
      promise,
      sending.then(
        () => null,
        (error: unknown) => String(codeOf(error)),
      ),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Decrypts. @throws Problem SERVICE_UNAVAILABLE while the service lacks the key */
function read<Result>(
  keyring: Keyring,
  what: string,
  before: ReturnType<Keyring['keys']>,
  work: Parameters<typeof withKeyring<Result>>[2],
): Result {
  try {
    return withKeyring(keyring, before, work);
  } catch (error) {
    return refuseUnreadable(what)(error);
  }
}

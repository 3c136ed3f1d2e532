import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { KeyMissing, withKeyring } from '../../sql/org/encryption.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import { loggedEndpointRow, loggedEndpoints } from '../../sql/org/webhooks/delivery-log.ts';
import { type EndpointRow, endpointOf, endpointRow, endpointsOf } from '../../sql/org/webhooks/endpoints.ts';
import { signingSecrets } from '../../sql/org/webhooks/secrets.ts';
import { pingMessage } from '../events/event.ts';
import { openKeyring } from '../secrets/encryption-keys.ts';
import { changeEndpoint } from '../webhooks/change.ts';
import { deleteEndpoint } from '../webhooks/delete.ts';
import { addressPolicy } from '../webhooks/delivery/address.ts';
import { send } from '../webhooks/delivery/send.ts';
import { shownEndpoint } from '../webhooks/endpoint.ts';
import { adminCommand } from './common/admin-command.ts';
import { findOrganisation, organisationArgument } from './common/find-organisation.ts';
import { operationCommand } from './common/operation-command.ts';
import { organisationCommand } from './common/organisation-command.ts';
import { uuid } from './common/schemas.ts';
import { type Columns, described, joined, listing, moment, plain } from './common/text-table.ts';

/** The webhook endpoints of an organisation. */

/** Endpoints as the operator sees them: never with their secrets. */
async function shownEndpoints(session: Session, { id }: OrganisationRow, rows: readonly EndpointRow[]) {
  const log = await session.rows(loggedEndpointRow, loggedEndpoints(id));
  return rows.map((row) => {
    const logged = log.find((each) => each.id === row.id);
    return {
      ...shownEndpoint(row),
      // The operator sees the reason also where the organisation or the operator has disabled the endpoint.
      ...{ disabledReason: row.disabledReason, disabledAt: row.disabledAt, failingSince: row.failingSince },
      /** The time until which the secret before the last rotation signs as well. */
      previousSecretUntil: row.previousSecretUntil,
      ...{ deliveredAt: logged?.deliveredAt ?? null, nextAttemptAt: logged?.nextAttemptAt ?? null },
      deliveries: { pending: logged?.pending ?? 0, failed: logged?.failed ?? 0, skipped: logged?.skipped ?? 0 },
    };
  });
}

type Shown = Awaited<ReturnType<typeof shownEndpoints>>[number];

const state = ({ disabled, disabledReason, failingSince }: Shown): string => {
  if (disabled) return `disabled (${disabledReason})`;
  return failingSince === null ? 'enabled' : `failing since ${moment(failingSince)}`;
};

const deliveries: Columns<Shown> = {
  pending: (endpoint) => endpoint.deliveries.pending,
  failed: (endpoint) => endpoint.deliveries.failed,
  skipped: (endpoint) => endpoint.deliveries.skipped,
};

/** @throws CommandFailed when the organisation does not have it */
async function findEndpoint(
  session: Session,
  { id: organisationId, externalId }: OrganisationRow,
  id: string,
): Promise<EndpointRow> {
  const found = await session.row(endpointRow, endpointOf(organisationId, id));
  if (found !== null) return found;
  throw refused(
    `${externalId} has no webhook endpoint ${id}. Nothing was done\n` +
      `Those it has: npm run admin -- webhooks list ${externalId}`,
  );
}

const endpointParameter = { endpoint: argument('the id of the endpoint, from `webhooks list`', uuid()) };

const examples = ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'];

/** The commands about webhook endpoints, in the order of the help. */
export const webhookCommands = [
  organisationCommand({
    name: 'webhooks list',
    summary: 'the webhook endpoints of an organisation, the oldest first',
    description: 'Secrets are not shown: the organisation reads them over the API.',
    examples: ['stadtwerk', 'stadtwerk --json'],
    run: async ({ session, organisation }) =>
      shownEndpoints(session, organisation, await session.rows(endpointRow, endpointsOf(organisation.id))),
    format: listing<Shown>('No webhook endpoints', {
      ...{ url: 'url', description: 'description', state, ...deliveries },
      ...{ 'last delivered': 'deliveredAt', id: 'id' },
    }),
  }),
  organisationCommand({
    name: 'webhooks show',
    summary: 'one webhook endpoint, with what is due and why it is disabled',
    description:
      'disabledReason: MANUAL = by the organisation or the operator, GONE = its address answered 410, FAILING = nothing ' +
      'arrived for five days.',
    examples,
    parameters: endpointParameter,
    async run({ session, organisation }, { endpoint: id }) {
      const rows = [await findEndpoint(session, organisation, id)];
      const [shown] = await shownEndpoints(session, organisation, rows);
      return shown as Shown;
    },
    format: described<Shown>({
      ...{ id: 'id', url: 'url', description: ({ description }) => description || null },
      ...{ 'event types': ({ eventTypes }) => joined(eventTypes), state, 'disabled at': 'disabledAt' },
      ...{ 'last delivered': 'deliveredAt', 'next attempt': 'nextAttemptAt', ...deliveries },
      'old secret signs until': ({ previousSecretUntil }) => moment(previousSecretUntil),
      ...{ created: 'createdAt', changed: 'updatedAt' },
    }),
  }),
  adminCommand({
    name: 'webhooks ping',
    summary: 'send a signed message to a webhook endpoint, and tell what it answered',
    description: [
      'The message has the type ping and is signed like every delivery. It is no event: it stands in no list, is attempted',
      'once, and goes to endpoints that are disabled, too. The exit code is 0 when the answer was a 2xx, otherwise 1.',
    ].join('\n'),
    examples,
    parameters: { organisation: organisationArgument, ...endpointParameter },
    async run(store, { organisation: reference, endpoint: id }, { settings }) {
      const keyring = openKeyring(settings);
      const before = keyring.keys();
      const { organisation, endpoint } = await store.asOperator(async (session) => {
        const found = await findOrganisation(session, reference);
        return { organisation: found.externalId, endpoint: await findEndpoint(session, found, id) };
      });
      const { url, disabled } = endpoint;
      const body = pingMessage(randomUUIDv7(), new Date());
      const messageId = body.eventId;
      try {
        const secrets = withKeyring(keyring, before, (keys) => signingSecrets(endpoint, keys, new Date()));
        const message = { id: messageId, body: JSON.stringify(body), url, secrets };
        const result = await send(message, { addresses: addressPolicy(settings) });
        const { status, answer } = 'status' in result ? result : { status: null, answer: null };
        const arrived = status !== null && status >= 200 && status < 300;
        const error = 'error' in result ? result.error : null;
        return {
          organisation,
          endpoint: { id, url, disabled },
          messageId,
          arrived,
          ms: result.ms,
          status,
          answer,
          error,
        };
      } catch (error) {
        if (error instanceof KeyMissing) throw refused(`${error.message}. Nothing was sent`);
        throw error;
      }
    },
    format: ({ endpoint, messageId, arrived, ms, status, answer, error }) =>
      [
        status === null ? `No answer after ${ms} ms: ${plain(error ?? '')}` : `${status} after ${ms} ms`,
        ...(answer === null || answer === '' ? [] : [plain(answer)]),
        arrived ? `${messageId} arrived at ${endpoint.url}.` : `${messageId} did not arrive at ${endpoint.url}.`,
      ].join('\n'),
    note: ({ endpoint }) => (endpoint.disabled ? 'The endpoint is disabled: events are not delivered to it' : ''),
    exitOf: ({ arrived }) => (arrived ? 'done' : 'failed'),
    logFields: ({ organisation, endpoint: { id }, arrived, status }) => ({
      organisation,
      endpoint: id,
      arrived,
      status,
    }),
  }),
  operationCommand(changeEndpoint, {
    name: 'webhooks disable',
    summary: 'halt deliveries to a webhook endpoint; it keeps its secret and what is due',
    description:
      'Events of the pause are not delivered afterwards by themselves: the organisation replays them, or reads them.',
    sends: { disabled: true },
    examples,
  }),
  operationCommand(changeEndpoint, {
    name: 'webhooks enable',
    summary: 'deliver to a webhook endpoint again, whoever disabled it',
    description: 'What was due when it was disabled goes on. What failed before no longer counts.',
    sends: { disabled: false },
    examples,
  }),
  operationCommand(deleteEndpoint, { name: 'webhooks delete', examples }),
];

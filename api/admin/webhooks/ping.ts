import { randomUUIDv7 } from 'node:crypto';
import { refused } from '../../../runtime/command-line/exit.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { KeyMissing, withKeyring } from '../../../sql/org/encryption.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { signingSecrets } from '../../../sql/org/webhooks/secrets.ts';
import { pingMessage } from '../../events/event.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { addressPolicy } from '../../webhooks/delivery/address.ts';
import { send } from '../../webhooks/delivery/send.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation } from '../common/find-organisation.ts';
import { plain } from '../common/text-table.ts';
import { endpointParameters, findEndpoint } from './find-endpoint.ts';

export const pingEndpoint = adminCommand({
  name: 'webhooks ping',
  summary: 'send a signed message to a webhook endpoint, and tell what it answered',
  description: [
    'The message has the type ping and is signed like every delivery. It is no event: it stands in no list, is attempted',
    'once, and goes to endpoints that are disabled, too. The exit code is 0 when the answer was a 2xx, otherwise 1.',
  ].join('\n'),
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'],
  parameters: endpointParameters,
  async run(store, { organisation: reference, endpoint: id }, { settings }) {
    const { organisation, endpoint, secrets } = await readTarget(store, settings, reference, id);
    const body = pingMessage(randomUUIDv7(), new Date());
    const messageId = body.eventId;
    const message = { id: messageId, body: JSON.stringify(body), url: endpoint.url, secrets };
    const result = await send(message, { addresses: addressPolicy(settings) });
    const { status, answer } = 'status' in result ? result : { status: null, answer: null };
    return {
      organisation,
      endpoint: { id: endpoint.id, url: endpoint.url, disabled: endpoint.disabled },
      messageId,
      arrived: status !== null && status >= 200 && status < 300,
      ms: result.ms,
      status,
      answer,
      error: 'error' in result ? result.error : null,
    };
  },
  format: ({ endpoint, messageId, arrived, ms, status, answer, error }) =>
    [
      status === null ? `No answer after ${ms} ms: ${plain(error ?? '')}` : `${status} after ${ms} ms`,
      ...(answer === null || answer === '' ? [] : [plain(answer)]),
      arrived ? `${messageId} arrived at ${endpoint.url}.` : `${messageId} did not arrive at ${endpoint.url}.`,
    ].join('\n'),
  note: ({ endpoint }) => (endpoint.disabled ? 'The endpoint is disabled: events are not delivered to it' : ''),
  exitOf: ({ arrived }) => (arrived ? 'done' : 'failed'),
  logFields: ({ organisation, endpoint, arrived, status }) => ({
    organisation,
    endpoint: endpoint.id,
    arrived,
    status,
  }),
});

/** @throws CommandFailed when there is no such endpoint, or its secret cannot be decrypted */
async function readTarget(store: OrgStore, settings: Settings, reference: string, id: string) {
  const keyring = openKeyring(settings);
  const before = keyring.keys();
  const { organisation, endpoint } = await store.asOperator(async (session) => {
    const found = await findOrganisation(session, reference);
    return { organisation: found.externalId, endpoint: await findEndpoint(session, found, id) };
  });
  try {
    const secrets = withKeyring(keyring, before, (keys) => signingSecrets(endpoint, keys, new Date()));
    return { organisation, endpoint, secrets };
  } catch (error) {
    if (error instanceof KeyMissing) throw refused(`${error.message}. Nothing was sent`);
    throw error;
  }
}

import { randomUUIDv7 } from 'node:crypto';
import type { EncryptionKeys } from '../../sql/org/encryption.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { type EndpointRow, putEndpoint } from '../../sql/org/webhooks/endpoints.ts';
import { sealedSecret } from '../../sql/org/webhooks/secrets.ts';
import { TEST_KEYS } from './contacts.ts';

/** Webhook endpoints as tests need them. */

/** A host that no resolver knows, and that services of tests allow: see serve() in service.ts. */
export const ALLOWED_HOST = 'empfang.example';

/** The secret of endpoints that are made without one of their own. */
export const TEST_SECRET = `whsec_${Buffer.from('a secret of tests, of 32 bytes  ').toString('base64')}`;

interface EndpointChoices extends Partial<Omit<EndpointRow, 'organisationId' | 'secret' | 'secretKeyId'>> {
  /** The secret in clear. Default: TEST_SECRET. */
  readonly secret?: string;
}

/**
 * Puts an endpoint of an organisation into the store itself, whatever its url; enabled and for all types unless chosen
 * otherwise.
 * @param keys the keys of the service that shall read the secret. Default: TEST_KEYS
 */
export async function makeEndpoint(
  store: OrgStore,
  organisationId: string,
  { secret = TEST_SECRET, ...choices }: EndpointChoices = {},
  keys: EncryptionKeys = TEST_KEYS,
): Promise<EndpointRow> {
  const id = choices.id ?? randomUUIDv7();
  const at = choices.createdAt ?? new Date().toISOString();
  const row: EndpointRow = {
    id,
    organisationId,
    url: `https://${ALLOWED_HOST}/${id}`,
    description: '',
    eventTypes: null,
    schemaVersion: 1,
    disabled: false,
    disabledReason: null,
    disabledAt: null,
    previousSecret: null,
    previousSecretKeyId: null,
    previousSecretUntil: null,
    failingSince: null,
    createdAt: at,
    updatedAt: at,
    ...choices,
    ...sealedSecret({ id, organisationId }, secret, keys),
  };
  await store.asOperator((session) => session.run(putEndpoint(row)));
  return row;
}

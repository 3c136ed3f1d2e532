import { counted } from '../../runtime/counted.ts';
import type { Logger } from '../../runtime/log.ts';
import type { EncryptionKeys, Keyring } from '../../sql/org/encryption.ts';
import { keyInUseRow, otherKeysInUse } from '../../sql/org/records/contacts.ts';
import type { OrgStore, Session } from '../../sql/org/store.ts';
import { keyOfSecretsRow, otherKeysOfSecrets } from '../../sql/org/webhooks/rekey.ts';

/** A key that is not here, and how much it encrypts. */
export interface MissingKey {
  readonly keyId: string;
  readonly contacts: number;
  /** Webhook endpoints: their secrets. */
  readonly endpoints: number;
}

/** Finds the keys that the store needs beside these. */
export async function missingKeys(session: Session, keys: EncryptionKeys): Promise<MissingKey[]> {
  const ids = keys.map(({ id }) => id);
  const found = new Map<string, MissingKey>();
  for (const { keyId, contacts } of await session.rows(keyInUseRow, otherKeysInUse(ids))) {
    found.set(keyId, { keyId, contacts, endpoints: 0 });
  }
  for (const { keyId, endpoints } of await session.rows(keyOfSecretsRow, otherKeysOfSecrets(ids))) {
    found.set(keyId, { keyId, contacts: found.get(keyId)?.contacts ?? 0, endpoints });
  }
  return [...found.values()];
}

/** Says what a key encrypts: `3 contacts, 1 webhook endpoint`. */
export const encryptedBy = ({ contacts, endpoints }: Pick<MissingKey, 'contacts' | 'endpoints'>): string =>
  [
    ...(contacts === 0 ? [] : [counted(contacts, 'contact')]),
    ...(endpoints === 0 ? [] : [counted(endpoints, 'webhook endpoint')]),
  ].join(', ');

/** Tells the operator at the start what cannot be read. The service starts all the same: everything else works. */
export async function reportMissingKeys(store: OrgStore, keyring: Keyring, log: Logger): Promise<void> {
  const keys = keyring.keys();
  for (const { keyId, contacts, endpoints } of await store.asOperator((session) => missingKeys(session, keys))) {
    log.error(
      { keyId, contacts, endpoints },
      'contacts or webhook endpoints are encrypted with a key that is not here, so they cannot be read: GET /v1/contacts ' +
        'answers 503, and nothing is delivered. Bring the key back, in STATE_DIR/encryption-key or ENCRYPTION_KEYS',
    );
  }
}

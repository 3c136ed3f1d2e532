import { counted } from '../../runtime/counted.ts';
import type { Logger } from '../../runtime/log.ts';
import { keyOfEmailsRow, otherKeysOfEmails } from '../../sql/org/alerts/emails.ts';
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
  /** E-mail addresses of alerts. */
  readonly emails: number;
}

/** Finds the keys that the store needs beside these. */
export async function missingKeys(session: Session, keys: EncryptionKeys): Promise<MissingKey[]> {
  const ids = keys.map(({ id }) => id);
  const found = new Map<string, MissingKey>();
  for (const { keyId, contacts } of await session.rows(keyInUseRow, otherKeysInUse(ids))) {
    found.set(keyId, { keyId, contacts, endpoints: 0, emails: 0 });
  }
  for (const { keyId, endpoints } of await session.rows(keyOfSecretsRow, otherKeysOfSecrets(ids))) {
    found.set(keyId, { keyId, contacts: found.get(keyId)?.contacts ?? 0, endpoints, emails: 0 });
  }
  for (const { keyId, emails } of await session.rows(keyOfEmailsRow, otherKeysOfEmails(ids))) {
    found.set(keyId, { ...(found.get(keyId) ?? { keyId, contacts: 0, endpoints: 0 }), emails });
  }
  return [...found.values()];
}

/** Says what a key encrypts: `3 contacts, 1 webhook endpoint`. */
export const encryptedBy = ({ contacts, endpoints, emails }: Omit<MissingKey, 'keyId'>): string =>
  [
    ...(contacts === 0 ? [] : [counted(contacts, 'contact')]),
    ...(endpoints === 0 ? [] : [counted(endpoints, 'webhook endpoint')]),
    ...(emails === 0 ? [] : [counted(emails, 'e-mail address of an alert', 'e-mail addresses of alerts')]),
  ].join(', ');

/** Tells the operator at the start what cannot be read. The service starts all the same: everything else works. */
export async function reportMissingKeys(store: OrgStore, keyring: Keyring, log: Logger): Promise<void> {
  const keys = keyring.keys();
  for (const { keyId, contacts, endpoints, emails } of await store.asOperator((session) =>
    missingKeys(session, keys),
  )) {
    log.error(
      { keyId, contacts, endpoints, emails },
      'contacts, webhook endpoints or e-mail addresses of alerts are encrypted with a key that is not here, so they cannot be read: GET /v1/contacts ' +
        'answers 503, and nothing is delivered. Bring the key back, in STATE_DIR/encryption-key or ENCRYPTION_KEYS',
    );
  }
}

import type { Logger } from '../../runtime/log.ts';
import type { EncryptionKeys, Keyring } from '../../sql/org/encryption.ts';
import { keyInUseRow, otherKeysInUse } from '../../sql/org/records/contacts.ts';
import type { OrgStore, Session } from '../../sql/org/store.ts';

/** A key that is not here, and how much it encrypts. */
export interface MissingKey {
  readonly keyId: string;
  readonly contacts: number;
}

/** Finds the keys that the store needs beside these. */
export const missingKeys = (session: Session, keys: EncryptionKeys): Promise<MissingKey[]> =>
  session.rows(keyInUseRow, otherKeysInUse(keys.map(({ id }) => id)));

/** Tells the operator at the start what cannot be read. The service starts all the same: everything else works. */
export async function reportMissingKeys(store: OrgStore, keyring: Keyring, log: Logger): Promise<void> {
  const keys = keyring.keys();
  for (const { keyId, contacts } of await store.asOperator((session) => missingKeys(session, keys))) {
    log.error(
      { keyId, contacts },
      'contacts are encrypted with a key that is not here, so GET /v1/contacts answers 503: bring the key back, in ' +
        'STATE_DIR/encryption-key or ENCRYPTION_KEYS',
    );
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { acquireLock } from '../../runtime/lock-file.ts';
import type { Settings } from '../../runtime/settings.ts';
import { emailsAnew } from '../../sql/org/alerts/emails.ts';
import { awaitKeyHolders, currentKey, type EncryptionKeys } from '../../sql/org/encryption.ts';
import { contactsOfKeys, encryptedAnew, encryptedRow, replaceCiphertexts } from '../../sql/org/records/contacts.ts';
import type { OrgStore, Session } from '../../sql/org/store.ts';
import { endpointRow } from '../../sql/org/webhooks/endpoints.ts';
import { endpointEncryptedAnew, endpointsOfKeys, replaceSecrets } from '../../sql/org/webhooks/rekey.ts';
import { addKey, dropOlderKeys, keyFile, openKeyring } from '../secrets/encryption-keys.ts';
import { encryptedBy } from '../secrets/missing-keys.ts';
import { adminCommand } from './common/admin-command.ts';
import { refuseMissing } from './common/encryption.ts';
import { joined } from './common/text-table.ts';

/** Another key encrypts what is encrypted, while services read and write. */

export const rekey = adminCommand({
  name: 'encryption rekey',
  summary: 'encrypt personal fields of contacts, secrets of webhooks and e-mail addresses of alerts with another key',
  description: [
    'Without ENCRYPTION_KEYS a new key is made: it is put before the others in STATE_DIR/encryption-key, everything is',
    'encrypted with it, and then the others are dropped. With ENCRYPTION_KEYS its first key encrypts everything: put a new',
    'one first, restart every service, run this, and then remove the others. Services go on meanwhile. When it is',
    'interrupted nothing is lost: run it again.',
  ].join('\n'),
  examples: [''],
  parameters: {},
  run: (store, _, { settings }) =>
    settings.ENCRYPTION_KEYS === null ? rekeyWithFile(store, settings) : rekeyWithSetting(store, settings),
  format: ({ keyId, contacts, endpoints, emails, droppable, file }) =>
    `Encrypted anew: ${encryptedBy({ contacts, endpoints, emails }) || 'nothing'}. Everything has the key ${keyId} now.` +
    (file === null
      ? ''
      : `\nIt is the only key in ${file}: copy that file to where you keep it, apart from the backups.`) +
    (droppable.length === 0 ? '' : `\nENCRYPTION_KEYS no longer needs ${joined(droppable)}, but for older backups.`),
  logFields: ({ keyId, contacts, endpoints, emails }) => ({ keyId, contacts, endpoints, emails }),
});

/** The same command under its name from the time when only contacts were encrypted. */
export const rekeyContacts = adminCommand({
  ...rekey,
  name: 'contacts rekey',
  summary: 'the former name of encryption rekey',
});

interface Rekeyed {
  /** The key that everything has now. */
  readonly keyId: string;
  /** The numbers of contacts, secrets and e-mail addresses that were encrypted anew. */
  readonly contacts: number;
  readonly endpoints: number;
  readonly emails: number;
  /** Keys of the setting that no row needs any more. */
  readonly droppable: readonly string[];
  /** Null with the setting. */
  readonly file: string | null;
}

async function rekeyWithFile(store: OrgStore, settings: Settings): Promise<Rekeyed> {
  const file = keyFile(settings);
  const unlock = acquireLock(`${file}.lock`, rekey.name, `${file} is being changed`);
  try {
    const keyring = openKeyring(settings);
    await store.asOperator((session) => refuseMissing(session, keyring.keys()));
    addKey(file);
    const rekeyed = await encryptAnew(store, keyring.keys());
    dropOlderKeys(file);
    return { ...rekeyed, droppable: [], file };
  } finally {
    unlock();
  }
}

async function rekeyWithSetting(store: OrgStore, settings: Settings): Promise<Rekeyed> {
  const keys = openKeyring(settings).keys();
  await store.asOperator((session) => refuseMissing(session, keys));
  return { ...(await encryptAnew(store, keys)), file: null };
}

/** Rows that one transaction encrypts. */
const BATCH_SIZE = 500;

/** Gives other work a turn between two batches, milliseconds: an embedded store does one thing at a time. */
const PAUSE = 5;

/** Encrypts some rows of these keys with the first of all keys. @returns how many there were */
type Batch = (session: Session, older: readonly string[], keys: EncryptionKeys) => Promise<number>;

const contactsAnew: Batch = async (session, older, keys) => {
  const rows = await session.rows(encryptedRow, contactsOfKeys(older, BATCH_SIZE));
  if (rows.length > 0) await session.run(replaceCiphertexts(rows.map((row) => encryptedAnew(row, keys))));
  return rows.length;
};

const endpointsAnew: Batch = async (session, older, keys) => {
  const rows = await session.rows(endpointRow, endpointsOfKeys(older, BATCH_SIZE));
  if (rows.length > 0) await session.run(replaceSecrets(rows.map((row) => endpointEncryptedAnew(row, keys))));
  return rows.length;
};

const alertEmailsAnew: Batch = (session, older, keys) => emailsAnew(session, older, keys, BATCH_SIZE);

/** Encrypts everything with the first key, that is what had one of the others, which can be dropped then. */
async function encryptAnew(store: OrgStore, keys: EncryptionKeys): Promise<Omit<Rekeyed, 'file'>> {
  const keyId = currentKey(keys).id;
  const older = keys.map(({ id }) => id).filter((id) => id !== keyId);
  // Whoever writes from now on has the new key.
  await store.asOperator((session) => session.run(awaitKeyHolders));
  const all = async (batch: Batch): Promise<number> => {
    for (let rows = 0; ; ) {
      const done = await store.asOperator((session) => batch(session, older, keys));
      if (done === 0) return rows;
      rows += done;
      await pause(PAUSE);
    }
  };
  return {
    keyId,
    contacts: await all(contactsAnew),
    endpoints: await all(endpointsAnew),
    emails: await all(alertEmailsAnew),
    droppable: older,
  };
}

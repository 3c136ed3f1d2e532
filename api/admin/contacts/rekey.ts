import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../../../runtime/counted.ts';
import { acquireLock } from '../../../runtime/lock-file.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { awaitKeyHolders, currentKey, type EncryptionKeys } from '../../../sql/org/encryption.ts';
import { contactsOfKeys, encryptedAnew, encryptedRow, replaceCiphertexts } from '../../../sql/org/records/contacts.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { addKey, dropOlderKeys, keyFile, openKeyring } from '../../secrets/encryption-keys.ts';
import { missingKeys } from '../../secrets/missing-keys.ts';
import { adminCommand } from '../common/admin-command.ts';
import { joined } from '../common/text-table.ts';
import { refuseMissing } from './contacts-to-change.ts';

/** Another key encrypts what is encrypted, while services read and write. */

export const rekeyContacts = adminCommand({
  name: 'contacts rekey',
  summary: 'encrypt e-mail addresses and telephone numbers of all contacts with another key',
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
  format: ({ keyId, contacts, droppable, file }) =>
    `${counted(contacts, 'contact')} ${contacts === 1 ? 'is' : 'are'} encrypted anew; all have the key ${keyId}.` +
    (file === null
      ? ''
      : `\nIt is the only key in ${file}: copy that file to where you keep it, apart from the backups.`) +
    (droppable.length === 0 ? '' : `\nENCRYPTION_KEYS no longer needs ${joined(droppable)}, but for older backups.`),
  logFields: ({ keyId, contacts }) => ({ keyId, contacts }),
});

interface Rekeyed {
  /** The key that all contacts have now. */
  readonly keyId: string;
  /** Contacts that were encrypted anew. */
  readonly contacts: number;
  /** Keys of the setting that no row needs any more. */
  readonly droppable: readonly string[];
  /** Null with the setting. */
  readonly file: string | null;
}

async function rekeyWithFile(store: OrgStore, settings: Settings): Promise<Rekeyed> {
  const file = keyFile(settings);
  const unlock = acquireLock(`${file}.lock`, 'contacts rekey', `${file} is being changed`);
  try {
    const keyring = openKeyring(settings);
    await mustHaveAllKeys(store, keyring.keys());
    addKey(file);
    const contacts = await encryptAnew(store, keyring.keys());
    dropOlderKeys(file);
    return { keyId: currentKey(keyring.keys()).id, contacts, droppable: [], file };
  } finally {
    unlock();
  }
}

async function rekeyWithSetting(store: OrgStore, settings: Settings): Promise<Rekeyed> {
  const keys = openKeyring(settings).keys();
  await mustHaveAllKeys(store, keys);
  const contacts = await encryptAnew(store, keys);
  const keyId = currentKey(keys).id;
  return { keyId, contacts, droppable: keys.map(({ id }) => id).filter((id) => id !== keyId), file: null };
}

const mustHaveAllKeys = async (store: OrgStore, keys: EncryptionKeys): Promise<void> =>
  refuseMissing(await store.asOperator((session) => missingKeys(session, keys)));

/** Contacts that one transaction encrypts. */
const BATCH_SIZE = 500;

/** Gives other work a turn between two batches, milliseconds: an embedded store does one thing at a time. */
const PAUSE = 5;

/** @returns the number of contacts that had another key */
async function encryptAnew(store: OrgStore, keys: EncryptionKeys): Promise<number> {
  const older = keys.map(({ id }) => id).filter((id) => id !== currentKey(keys).id);
  // Whoever writes from now on has the new key.
  await store.asOperator((session) => session.run(awaitKeyHolders));
  for (let contacts = 0; ; ) {
    const done = await store.asOperator(async (session) => {
      const rows = await session.rows(encryptedRow, contactsOfKeys(older, BATCH_SIZE));
      if (rows.length > 0) await session.run(replaceCiphertexts(rows.map((row) => encryptedAnew(row, keys))));
      return rows.length;
    });
    if (done === 0) return contacts;
    contacts += done;
    await pause(PAUSE);
  }
}

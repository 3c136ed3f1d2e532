import { randomUUIDv7 } from 'node:crypto';
import { type EncryptionKeys, encryptionKey } from '../../sql/org/encryption.ts';
import { type Contact, putContacts } from '../../sql/org/records/contacts.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Contacts as tests need them, under a key that tests know. */

export const ENCRYPTION_KEY = 'dGVzdCB0ZXN0IHRlc3QgdGVzdCB0ZXN0IHRlc3QgISE=';

export const TEST_KEYS: EncryptionKeys = [encryptionKey(ENCRYPTION_KEY)];

export const contactOf = (choices: Partial<Contact> = {}): Contact => ({
  id: randomUUIDv7(),
  kind: 'PERSON',
  name: 'Muster, Erika',
  firstName: null,
  lastName: null,
  salutation: null,
  title: null,
  email: null,
  telephone: null,
  company: null,
  position: null,
  origin: 'MANUELL',
  status: 'CONFIRMED',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-02-03T04:05:06.789Z',
  ...choices,
});

/** Stores contacts of an organisation. @returns what is stored, decrypted */
export async function makeContacts(
  store: OrgStore,
  organisationId: string,
  choices: readonly Partial<Contact>[],
  keys: EncryptionKeys = TEST_KEYS,
): Promise<Contact[]> {
  const contacts = choices.map(contactOf);
  await store.asOperator((session) => session.run(putContacts(organisationId, contacts, keys)));
  return contacts;
}

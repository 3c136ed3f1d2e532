import { refused } from '../../../runtime/command-line/exit.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { type EncryptionKeys, holdKeys, type Keyring } from '../../../sql/org/encryption.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { contactIdRow, contactIdsAmong, MAX_CONTACTS } from '../../../sql/org/records/contacts.ts';
import type { Session } from '../../../sql/org/store.ts';
import { lockedState } from '../../contacts/write.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { missingKeys } from '../../secrets/missing-keys.ts';
import { lockOrganisation } from '../common/find-organisation.ts';
import { refuseMissing } from '../common/refuse-missing.ts';

/** The contacts of an organisation, locked until the transaction ends. */
export interface LockedContacts {
  readonly organisation: OrganisationRow;
  /** Time of the change, RFC 3339: later than every earlier one. */
  readonly at: string;
  /** The number of contacts before the change. */
  readonly count: number;
}

export async function contactsToChange(session: Session, reference: string): Promise<LockedContacts> {
  const organisation = await lockOrganisation(session, reference);
  return { organisation, ...(await lockedState(session, organisation.id)) };
}

/** Keys to write contacts with, which stay valid until the transaction ends. */
export interface HeldKeys {
  readonly keyring: Keyring;
  readonly keys: EncryptionKeys;
}

/** @throws CommandFailed when the store has contacts of other keys, as this process then has the wrong ones */
export async function keysToWriteWith(session: Session, settings: Settings): Promise<HeldKeys> {
  await session.run(holdKeys);
  const keyring = openKeyring(settings);
  const keys = keyring.keys();
  refuseMissing(await missingKeys(session, keys));
  return { keyring, keys };
}

/**
 * Finds out that the contacts are there without decrypting them.
 * @throws CommandFailed when the organisation has no such contact
 */
export async function mustHaveContacts(
  session: Session,
  { id, externalId }: OrganisationRow,
  ids: readonly string[],
): Promise<void> {
  const found = await session.rows(contactIdRow, contactIdsAmong(id, ids));
  refuseUnknown(externalId, ids, new Set(found.map((contact) => contact.id)));
}

function refuseUnknown(organisation: string, ids: readonly string[], known: ReadonlySet<string>): void {
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw refused(
    `${organisation} has no contact ${unknown.join(', ')}. Nothing was done\n` +
      `Those it has: npm run admin -- contacts list ${organisation}`,
  );
}

/** @throws CommandFailed when there would be more contacts than an organisation may have */
export function refuseTooMany(organisation: string, count: number): void {
  if (count <= MAX_CONTACTS) return;
  const most = MAX_CONTACTS.toLocaleString('en');
  throw refused(`${organisation} would have more than ${most} contacts. Nothing was done; delete some first`);
}

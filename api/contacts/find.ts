import type { Keyring } from '../../sql/org/encryption.ts';
import {
  type Contact,
  type ContactPlace,
  type ContactRange,
  contactPage,
  contactsById,
  foundRow,
  readContacts,
  searchedContacts,
  searchedRow,
  someContacts,
} from '../../sql/org/records/contacts.ts';
import type { Session, Work } from '../../sql/org/store.ts';

/** A store to look for contacts in, and the keys to read them with. */
interface Directory {
  records<Result>(work: Work<Result>): Promise<Result>;
  readonly keyring: Keyring;
  readonly organisationId: string;
}

/**
 * Contacts that one statement looks at in their order. No index finds a part of a word; between two slices the store, and the process
 * that it may be part of, do the work of others.
 */
const SLICE = 10_000;

/** Up to this number of contacts with the terms all are found at once, in whatever order they lie. */
const FEW = 200;

/**
 * Reads contacts by name.
 * @param terms folded words that name and company must have as parts; none selects all
 * @param after begins behind this contact; null = with the first
 */
export async function findContacts(
  { records, keyring, organisationId }: Directory,
  kind: ContactRange['kind'],
  terms: readonly string[],
  after: ContactPlace | null,
  limit: number,
): Promise<Contact[]> {
  if (terms.length === 0) {
    const statement = contactPage(organisationId, { kind, after }, limit);
    return records((session) => readContacts(session, keyring, organisationId, statement));
  }
  const some = someContacts(organisationId, { kind, after }, terms, FEW + 1);
  const few = await records((session) => session.rows(foundRow, some));
  if (few.length <= FEW) {
    const ids = few.slice(0, limit).map(({ id }) => id);
    return records((session) => readInOrder(session, keyring, organisationId, ids));
  }
  const found: Contact[] = [];
  let begin: ContactPlace | null = after;
  do {
    const range = { kind, after: begin };
    const missing = limit - found.length;
    const slice = await records((session) => searchSlice(session, keyring, organisationId, range, terms, missing));
    found.push(...slice.found);
    begin = slice.last;
  } while (begin !== null && found.length < limit);
  return found;
}

interface Slice {
  readonly found: readonly Contact[];
  /** Null when there are no contacts behind the slice. */
  readonly last: ContactPlace | null;
}

async function searchSlice(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  range: ContactRange,
  terms: readonly string[],
  limit: number,
): Promise<Slice> {
  const rows = await session.rows(searchedRow, searchedContacts(organisationId, range, terms, SLICE, limit));
  const ids = rows.filter(({ matches }) => matches).map(({ id }) => id);
  const last = rows.find(({ isLast }) => isLast);
  return {
    found: await readInOrder(session, keyring, organisationId, ids),
    last: last === undefined ? null : [last.name, last.id],
  };
}

/** Reads contacts in the order of their ids. One that was deleted meanwhile is not found any more. */
async function readInOrder(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  ids: readonly string[],
): Promise<Contact[]> {
  if (ids.length === 0) return [];
  const contacts = await readContacts(session, keyring, organisationId, contactsById(organisationId, ids));
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

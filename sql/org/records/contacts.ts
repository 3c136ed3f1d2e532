import { z } from 'zod';
import { fold } from '../../query/fold.ts';
import { currentKey, decrypt, type EncryptionKeys, encrypt, type Keyring, withKeyring } from '../encryption.ts';
import { all, type StoreStatement, sql } from '../statement.ts';
import type { Session } from '../store.ts';

export const CONTACT_KINDS = ['PERSON', 'FUNCTION'] as const;
export const SALUTATIONS = ['HERR', 'FRAU', 'DIVERS'] as const;
export const CONTACT_ORIGINS = ['MANUELL', 'IMPORT', 'REGISTER', 'VERBINDUNG'] as const;
export const CONTACT_STATUSES = ['CONFIRMED', 'SUGGESTED'] as const;

/** The most contacts of an organisation: a search reads all of their names. */
export const MAX_CONTACTS = 100_000;

/** A contact as its organisation has it. */
export const contactShape = z.strictObject({
  id: z.uuid(),
  kind: z.enum(CONTACT_KINDS),
  /** As it is shown; several contacts may have the same. */
  name: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** Null for a FUNCTION. */
  salutation: z.enum(SALUTATIONS).nullable(),
  title: z.string().nullable(),
  email: z.string().nullable(),
  telephone: z.string().nullable(),
  company: z.string().nullable(),
  /** At the company. */
  position: z.string().nullable(),
  origin: z.enum(CONTACT_ORIGINS),
  status: z.enum(CONTACT_STATUSES),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type Contact = z.infer<typeof contactShape>;

/**
 * A contact as it is stored: `email` and `telephone` are encrypted with the key `keyId`, which is null without them.
 */
const contactRow = contactShape.extend({ keyId: z.string().nullable() });

type ContactRow = z.infer<typeof contactRow>;

const COLUMNS = sql`id, kind, name, first_name AS "firstName", last_name AS "lastName", salutation, title, email,
  telephone, key_id AS "keyId", company, position, origin, status, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Name and id of a contact, by which the list is sorted. */
export type ContactPlace = readonly [name: string, id: string];

/** Contacts of one organisation, by name in German order, then by id. */
export interface ContactRange {
  /** Null = both. */
  readonly kind: (typeof CONTACT_KINDS)[number] | null;
  /** The range begins behind this contact; null = with the first. */
  readonly after: ContactPlace | null;
}

const inRange = (organisationId: string, { kind, after }: ContactRange): StoreStatement =>
  all([
    sql`organisation_id = ${organisationId}::uuid`,
    ...(kind === null ? [] : [sql`kind = ${kind}`]),
    ...(after === null ? [] : [sql`(name COLLATE german, id) > (${after[0]}::text, ${after[1]}::uuid)`]),
  ]);

const BY_NAME = sql`name COLLATE german, id`;

/** Selects the first contacts of a range. */
export const contactPage = (organisationId: string, range: ContactRange, limit: number): StoreStatement => sql`
  SELECT ${COLUMNS} FROM contacts WHERE ${inRange(organisationId, range)} ORDER BY ${BY_NAME} LIMIT ${limit}`;

const haveAll = (terms: readonly string[]): StoreStatement =>
  all(terms.map((term) => sql`position(${term} IN folded_text) > 0`));

/**
 * Selects contacts of a range that have all terms in name or company, no more than `limit`: any of them, in order. To look at contacts
 * in their order takes the store five times as long as to look at them as they lie.
 * @param terms folded (sql/query/fold.ts)
 */
export const someContacts = (
  organisationId: string,
  range: ContactRange,
  terms: readonly string[],
  limit: number,
): StoreStatement => sql`
  SELECT id, name FROM (
    SELECT id, name FROM contacts WHERE ${inRange(organisationId, range)} AND ${haveAll(terms)} LIMIT ${limit}) AS few
  ORDER BY ${BY_NAME}`;

/**
 * Looks for terms in name and company of the first so many contacts of a range: selects those that have all terms, in
 * order, and the last contact that was looked at, unless there are `limit` before it.
 * @param terms folded (sql/query/fold.ts)
 * @param slice number of contacts to look at
 */
export function searchedContacts(
  organisationId: string,
  range: ContactRange,
  terms: readonly string[],
  slice: number,
  limit: number,
): StoreStatement {
  const matches = haveAll(terms);
  return sql`SELECT id, name, matches, place = ${slice} AS "isLast" FROM (
      SELECT id, name, ${matches} AS matches, row_number() OVER (ORDER BY ${BY_NAME}) AS place
      FROM contacts WHERE ${inRange(organisationId, range)} ORDER BY ${BY_NAME} LIMIT ${slice}) AS looked_at
    WHERE matches OR place = ${slice} ORDER BY ${BY_NAME} LIMIT ${limit}`;
}

export const foundRow = z.strictObject({ id: z.uuid(), name: z.string() });

export const searchedRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  matches: z.boolean(),
  /** True for the last contact of the slice; further ones may follow. */
  isLast: z.boolean(),
});

export const contactsById = (organisationId: string, ids: readonly string[]): StoreStatement => sql`
  SELECT ${COLUMNS} FROM contacts WHERE organisation_id = ${organisationId}::uuid AND id = ANY (${ids}::uuid[])`;

/**
 * Reads the contacts that a statement selects, decrypted.
 * @throws KeyMissing when a key of theirs is not in the keyring
 */
export async function readContacts(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  statement: StoreStatement,
): Promise<Contact[]> {
  const before = keyring.keys();
  const rows = await session.rows(contactRow, statement);
  return withKeyring(keyring, before, (keys) => rows.map((row) => decrypted(row, organisationId, keys)));
}

/** Rows that are read, and decrypted, at once: meanwhile the process does nothing else. */
const BATCH = 2_000;

/** Reads all contacts of an organisation by name, decrypted. @throws KeyMissing */
export async function readAllContacts(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  kind: ContactRange['kind'] = null,
): Promise<Contact[]> {
  const found: Contact[] = [];
  let after: ContactPlace | null = null;
  do {
    const statement = contactPage(organisationId, { kind, after }, BATCH);
    const contacts: Contact[] = await readContacts(session, keyring, organisationId, statement);
    found.push(...contacts);
    const last = contacts.at(-1);
    after = contacts.length < BATCH || last === undefined ? null : [last.name, last.id];
  } while (after !== null);
  return found;
}

function decrypted({ keyId, ...row }: ContactRow, organisationId: string, keys: EncryptionKeys): Contact {
  if (keyId === null) return row;
  const text = (column: EncryptedColumn): string | null => {
    const value = row[column];
    return value === null ? null : decrypt(keys, keyId, value, { organisationId, rowId: row.id, column });
  };
  return { ...row, email: text('email'), telephone: text('telephone') };
}

type EncryptedColumn = 'email' | 'telephone';

/** Locks the contacts of an organisation against other changes until the transaction ends. */
export const lockContacts = (organisationId: string): StoreStatement => sql`
  SELECT pg_advisory_xact_lock(hashtextextended(${`contacts ${organisationId}`}, 0))`;

/**
 * Selects, in one row, the time of the change that has the lock, and the number of contacts. The time is later than
 * every change before, whatever the clocks of several servers say, so a reader that continues after the newest change
 * it saw misses none.
 */
export const contactsState = (organisationId: string): StoreStatement => sql`
  SELECT greatest(clock_timestamp(), max(updated_at) + interval '1 millisecond')::timestamptz(3) AS "at",
    count(*) AS "count" FROM contacts WHERE organisation_id = ${organisationId}::uuid`;

export const contactsStateRow = z.strictObject({ at: z.iso.datetime(), count: z.int() });

/** Inserts or replaces contacts; one that is replaced keeps its time of creation. */
export function putContacts(
  organisationId: string,
  contacts: readonly Contact[],
  keys: EncryptionKeys,
): StoreStatement {
  const rows = contacts.map((contact) => ({
    ...encrypted(contact, organisationId, keys),
    foldedText: fold([contact.name, contact.company].join(' ')),
  }));
  return sql`
  INSERT INTO contacts (id, organisation_id, kind, name, first_name, last_name, salutation, title, email, telephone,
    key_id, company, position, origin, status, folded_text, created_at, updated_at)
  SELECT r."id", ${organisationId}::uuid, r."kind", r."name", r."firstName", r."lastName", r."salutation", r."title",
    r."email", r."telephone", r."keyId", r."company", r."position", r."origin", r."status", r."foldedText",
    r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "kind" text, "name" text,
    "firstName" text, "lastName" text, "salutation" text, "title" text, "email" text, "telephone" text, "keyId" text,
    "company" text, "position" text, "origin" text, "status" text, "foldedText" text, "createdAt" timestamptz,
    "updatedAt" timestamptz)
  ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, first_name = excluded.first_name,
    last_name = excluded.last_name, salutation = excluded.salutation, title = excluded.title, email = excluded.email,
    telephone = excluded.telephone, key_id = excluded.key_id, company = excluded.company, position = excluded.position,
    origin = excluded.origin, status = excluded.status, folded_text = excluded.folded_text,
    updated_at = excluded.updated_at`;
}

function encrypted(contact: Contact, organisationId: string, keys: EncryptionKeys): ContactRow {
  const text = (column: EncryptedColumn): string | null => {
    const value = contact[column];
    return value === null ? null : encrypt(keys, value, { organisationId, rowId: contact.id, column });
  };
  const [email, telephone] = [text('email'), text('telephone')];
  return { ...contact, email, telephone, keyId: email === null && telephone === null ? null : currentKey(keys).id };
}

/** Selects those of these ids that are contacts of the organisation. */
export const contactIdsAmong = (organisationId: string, ids: readonly string[]): StoreStatement => sql`
  SELECT id FROM contacts WHERE organisation_id = ${organisationId}::uuid AND id = ANY (${ids}::uuid[])`;

export const contactIdRow = z.strictObject({ id: z.uuid() });

/** Confirms those of these contacts that are suggested. */
export const confirmContacts = (organisationId: string, ids: readonly string[], at: string): StoreStatement => sql`
  UPDATE contacts SET status = 'CONFIRMED', updated_at = ${at}::timestamptz
  WHERE organisation_id = ${organisationId}::uuid AND id = ANY (${ids}::uuid[]) AND status = 'SUGGESTED'`;

export const deleteContacts = (organisationId: string, ids: readonly string[]): StoreStatement => sql`
  DELETE FROM contacts WHERE organisation_id = ${organisationId}::uuid AND id = ANY (${ids}::uuid[])`;

/**
 * Selects the keys that encrypt contacts, but for the given ones, with the number of contacts of each. It steps from
 * key to key in the index, so contacts of the given keys cost nothing.
 */
export const otherKeysInUse = (keyIds: readonly string[]): StoreStatement => sql`
  WITH RECURSIVE used AS (
    SELECT min(key_id) AS id FROM contacts
    UNION ALL SELECT (SELECT min(key_id) FROM contacts WHERE key_id > used.id) FROM used WHERE used.id IS NOT NULL)
  SELECT id AS "keyId", (SELECT count(*) FROM contacts WHERE key_id = used.id) AS "contacts"
  FROM used WHERE id <> ALL (${keyIds}::text[])`;

export const keyInUseRow = z.strictObject({ keyId: z.string(), contacts: z.int() });

/** Selects some contacts, of any organisation, that these keys encrypt, and locks them. */
export const contactsOfKeys = (keyIds: readonly string[], limit: number): StoreStatement => sql`
  SELECT organisation_id AS "organisationId", id, email, telephone, key_id AS "keyId" FROM contacts
  WHERE key_id = ANY (${keyIds}::text[]) LIMIT ${limit} FOR UPDATE`;

export const encryptedRow = z.strictObject({
  organisationId: z.uuid(),
  id: z.uuid(),
  email: z.string().nullable(),
  telephone: z.string().nullable(),
  keyId: z.string(),
});

type EncryptedRow = z.infer<typeof encryptedRow>;

/** Encrypts rows with the first key, whatever key encrypts them now. @throws KeyMissing, CiphertextDamaged */
export function encryptedAnew(row: EncryptedRow, keys: EncryptionKeys): EncryptedRow {
  const text = (column: EncryptedColumn): string | null => {
    const place = { organisationId: row.organisationId, rowId: row.id, column };
    const value = row[column];
    return value === null ? null : encrypt(keys, decrypt(keys, row.keyId, value, place), place);
  };
  return { ...row, email: text('email'), telephone: text('telephone'), keyId: currentKey(keys).id };
}

/** Replaces ciphertexts. The contact is the same as before, so its time of change stays. */
export const replaceCiphertexts = (rows: readonly EncryptedRow[]): StoreStatement => sql`
  UPDATE contacts SET email = r."email", telephone = r."telephone", key_id = r."keyId"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "email" text, "telephone" text,
    "keyId" text)
  WHERE contacts.id = r."id"`;

import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import {
  currentKey,
  decrypt,
  type EncryptionKeys,
  encrypt,
  holdKeys,
  type Keyring,
  withKeyring,
} from '../encryption.ts';
import { type StoreStatement, sql } from '../statement.ts';
import type { Session } from '../store.ts';

/** E-mail addresses that alerts tell of what they have found. They are encrypted. */

export const emailRow = z.strictObject({
  id: z.uuid(),
  organisationId: z.uuid(),
  alertId: z.uuid(),
  /** Encrypted. */
  address: z.string(),
  keyId: z.string(),
});

type EmailRow = z.infer<typeof emailRow>;

const COLUMNS = sql`id, organisation_id AS "organisationId", alert_id AS "alertId", address, key_id AS "keyId"`;

const placeOf = ({ organisationId, id }: Pick<EmailRow, 'organisationId' | 'id'>) => ({
  organisationId,
  rowId: id,
  column: 'address',
});

/** The address of a row. @throws KeyMissing, CiphertextDamaged */
export const addressOf = (row: Omit<EmailRow, 'alertId'>, keys: EncryptionKeys): string =>
  decrypt(keys, row.keyId, row.address, placeOf(row));

/** Reads the addresses of an organisation by the id of their alert, in their order. @throws KeyMissing, CiphertextDamaged */
export async function emailsOf(
  session: Session,
  keyring: Keyring,
  organisationId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const before = keyring.keys();
  const rows = await session.rows(
    emailRow,
    sql`SELECT ${COLUMNS} FROM alert_emails WHERE organisation_id = ${organisationId}::uuid ORDER BY alert_id, position, id`,
  );
  const read = withKeyring(keyring, before, (keys) =>
    rows.map((row) => ({ alertId: row.alertId, address: addressOf(row, keys) })),
  );
  const byAlert = Map.groupBy(read, ({ alertId }) => alertId);
  return new Map([...byAlert].map(([alertId, own]) => [alertId, own.map(({ address }) => address)]));
}

/** Selects the addresses of an alert, still encrypted. */
export const emailsOfAlert = (organisationId: string, alertId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM alert_emails WHERE organisation_id = ${organisationId}::uuid AND alert_id = ${alertId}::uuid
  ORDER BY position, id`;

/** How many addresses each alert of an organisation has. */
export async function emailCounts(session: Session, organisationId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await session.rows(
    z.strictObject({ alertId: z.uuid(), count: z.int() }),
    sql`SELECT alert_id AS "alertId", count(*) AS "count" FROM alert_emails
      WHERE organisation_id = ${organisationId}::uuid GROUP BY alert_id`,
  );
  return new Map(rows.map(({ alertId, count }) => [alertId, count]));
}

/**
 * Gives an alert that is locked these addresses and no others. One that it has already stays as it is, with what it is still
 * to be told.
 */
export async function putEmails(
  session: Session,
  keyring: Keyring,
  { organisationId, alertId }: Pick<EmailRow, 'organisationId' | 'alertId'>,
  addresses: readonly string[],
): Promise<void> {
  await session.run(holdKeys);
  const keys = keyring.keys();
  // Addresses that cannot be read can still be taken away.
  const present = addresses.length === 0 ? [] : await session.rows(emailRow, emailsOfAlert(organisationId, alertId));
  const idOf = new Map(present.map((row) => [addressOf(row, keys), row.id]));
  const rows = addresses.map((address, position) => {
    const id = idOf.get(address) ?? randomUUIDv7();
    return {
      id,
      position,
      address: encrypt(keys, address, placeOf({ organisationId, id })),
      keyId: currentKey(keys).id,
    };
  });
  await session.run(sql`DELETE FROM alert_emails WHERE organisation_id = ${organisationId}::uuid
    AND alert_id = ${alertId}::uuid AND id <> ALL (${rows.map(({ id }) => id)}::uuid[])`);
  await session.run(sql`
    INSERT INTO alert_emails (id, organisation_id, alert_id, position, address, key_id, created_at)
    SELECT r."id", ${organisationId}::uuid, ${alertId}::uuid, r."position", r."address", r."keyId", now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "position" int, "address" text,
      "keyId" text)
    ON CONFLICT (id) DO UPDATE SET position = excluded.position, address = excluded.address, key_id = excluded.key_id`);
}

/** Selects the alert and organisation that an address belongs to, without it. */
export const subscriptionRow = z.strictObject({ alert: z.string(), organisation: z.string() });

export const subscriptionOf = (id: string): StoreStatement => sql`
  SELECT a.name AS alert, o.name AS organisation FROM alert_emails e
  JOIN alerts a ON a.id = e.alert_id JOIN organisations o ON o.id = e.organisation_id WHERE e.id = ${id}::uuid`;

/** Removes an address from its alert. */
export const removeEmail = (id: string): StoreStatement => sql`DELETE FROM alert_emails WHERE id = ${id}::uuid`;

/** Selects the keys that encrypt addresses, but for the given ones, with the number of addresses of each. */
export const otherKeysOfEmails = (keyIds: readonly string[]): StoreStatement => sql`
  SELECT key_id AS "keyId", count(*) AS "emails" FROM alert_emails WHERE key_id <> ALL (${keyIds}::text[])
  GROUP BY key_id ORDER BY key_id`;

export const keyOfEmailsRow = z.strictObject({ keyId: z.string(), emails: z.int() });

/** Encrypts some addresses of these keys with the first of all keys. @returns how many there were */
export async function emailsAnew(
  session: Session,
  older: readonly string[],
  keys: EncryptionKeys,
  limit: number,
): Promise<number> {
  const rows = await session.rows(
    emailRow,
    sql`SELECT ${COLUMNS} FROM alert_emails WHERE key_id = ANY (${older}::text[]) LIMIT ${limit} FOR NO KEY UPDATE`,
  );
  const anew = rows.map((row) => ({
    id: row.id,
    address: encrypt(keys, addressOf(row, keys), placeOf(row)),
    keyId: currentKey(keys).id,
  }));
  if (anew.length > 0) {
    await session.run(sql`UPDATE alert_emails SET address = r."address", key_id = r."keyId"
      FROM jsonb_to_recordset(${JSON.stringify(anew)}::text::jsonb) AS r ("id" uuid, "address" text, "keyId" text)
      WHERE alert_emails.id = r."id"`);
  }
  return rows.length;
}

import { randomUUIDv7 } from 'node:crypto';
import { EXAMPLE_ALERT } from '../../api/alerts/alert.ts';
import { EXAMPLE_THREAD } from '../../api/channel/find-thread.ts';
import { EXAMPLE_CONNECTION, EXAMPLE_INVITATION } from '../../api/connections/connection.ts';
import { EXAMPLE_CONTACT } from '../../api/contacts/write.ts';
import { EXAMPLE_FIELD } from '../../api/custom-fields/definition.ts';
import { EXAMPLE_PREFIX, EXAMPLE_USER } from '../../api/keys/operations.ts';
import { EXAMPLE_MAILBOX } from '../../api/mailboxes/mailbox.ts';
import type { Operation } from '../../api/operation/operation.ts';
import { EXAMPLE_FILTER } from '../../api/saved-filters/saved-filter.ts';
import { EXAMPLE_REQUEST } from '../../api/shared-fields/shared-field.ts';
import { EXAMPLE_SHARE } from '../../api/shares/share.ts';
import { EXAMPLE_ENDPOINT } from '../../api/webhooks/endpoint.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { writeSavedFilter } from '../../sql/org/records/saved-filters.ts';
import { insertShare } from '../../sql/org/shares.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { putUsers, userRow, usersOf } from '../../sql/org/users.ts';
import { makeAlert } from './alerts.ts';
import { makeThread, putMailbox } from './channel.ts';
import { connect } from './connections.ts';
import { makeContacts } from './contacts.ts';
import { makeField } from './custom-fields.ts';
import { makeKey, makeOrganisation } from './organisation.ts';
import { savedFilterFixture } from './saved-filters.ts';
import { makeCrossingField, openField } from './shared-fields.ts';
import { shareFixture } from './shares.ts';
import { makeEndpoint } from './webhooks.ts';

/**
 * Records that examples of operations name by their ids. An id belongs to one organisation at a time, and its partner:
 * those that had the records lose them.
 */
export async function giveExampleRecords(store: OrgStore, organisation: OrganisationRow): Promise<void> {
  await store.asOperator((session) => session.run(sql`DELETE FROM connections WHERE id = ${EXAMPLE_CONNECTION}::uuid`));
  const partner = await makeOrganisation(store, { name: 'Partner der Beispiele' });
  await connect(store, organisation, partner, {
    id: EXAMPLE_CONNECTION,
    assets: ['SEE900000000001', 'SEE900000000002'],
  });
  await makeThread(store, EXAMPLE_CONNECTION, { id: EXAMPLE_THREAD, category: 'TECHNIK' });
  await store.asOperator((session) => session.run(sql`DELETE FROM custom_fields WHERE id = ${EXAMPLE_REQUEST}::uuid`));
  const asked = await makeCrossingField(store, partner.id, {
    id: EXAMPLE_REQUEST,
    type: 'NUMBER',
    filledByPartner: true,
  });
  await openField(store, EXAMPLE_CONNECTION, asked);
  await giveExampleInvitation(store, organisation);
  await giveExampleEndpoint(store, organisation);
  await giveExampleFilter(store, organisation);
  await giveExampleAlert(store, organisation);
  await giveExampleShare(store, organisation);
  await giveExampleField(store, organisation);
  await giveExampleContact(store, organisation);
  await giveExampleMailbox(store, organisation);
  await giveExampleKey(store, organisation);
}

const EXAMPLE_IDS = [
  EXAMPLE_CONNECTION,
  EXAMPLE_INVITATION,
  EXAMPLE_THREAD,
  EXAMPLE_REQUEST,
  EXAMPLE_ENDPOINT,
  EXAMPLE_FILTER,
  EXAMPLE_FIELD,
  EXAMPLE_ALERT,
  EXAMPLE_SHARE,
  EXAMPLE_CONTACT,
  EXAMPLE_MAILBOX,
  EXAMPLE_PREFIX,
  EXAMPLE_USER,
];

/** Returns true for an operation whose example names one of the records. */
export function namesExampleRecords({ example }: Pick<Operation, 'example'>): boolean {
  const text = JSON.stringify(example ?? null);
  return EXAMPLE_IDS.some((id) => text.includes(id));
}

/** The invitation that examples answer, unanswered; and none to the address that they invite. */
async function giveExampleInvitation(
  store: OrgStore,
  organisation: Pick<OrganisationRow, 'id' | 'name'>,
): Promise<void> {
  const present = await store.asOperator(async (session) => {
    await session.run(sql`
      DELETE FROM connections WHERE id = ${EXAMPLE_INVITATION}::uuid AND invited_id <> ${organisation.id}::uuid
        OR initiator_id = ${organisation.id}::uuid AND invited_email IS NOT NULL`);
    return session.run(
      sql`UPDATE connections SET status = 'PENDING', answered_at = NULL WHERE id = ${EXAMPLE_INVITATION}::uuid`,
    );
  });
  if (present > 0) return;
  const inviting = await makeOrganisation(store, { name: 'Einladende der Beispiele' });
  await connect(store, inviting, organisation, { id: EXAMPLE_INVITATION, status: 'PENDING' });
}

/** The endpoint that examples name; it is the only one of the organisation. Its secret is encrypted with a key of tests. */
export async function giveExampleEndpoint(store: OrgStore, { id }: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator((session) =>
    session.run(
      sql`DELETE FROM webhook_endpoints WHERE id = ${EXAMPLE_ENDPOINT}::uuid OR organisation_id = ${id}::uuid`,
    ),
  );
  await makeEndpoint(store, id, { id: EXAMPLE_ENDPOINT });
}

/** The saved filter that examples name; it is the only one of the organisation. */
async function giveExampleFilter(store: OrgStore, { id }: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator(async (session) => {
    await session.run(
      sql`DELETE FROM saved_filters WHERE id = ${EXAMPLE_FILTER}::uuid OR organisation_id = ${id}::uuid`,
    );
    await session.run(writeSavedFilter(id, savedFilterFixture({ id: EXAMPLE_FILTER })));
  });
}

/** The field that examples name, and none of the name of the one that they make. */
async function giveExampleField(store: OrgStore, organisation: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator((session) =>
    session.run(
      sql`DELETE FROM custom_fields WHERE id = ${EXAMPLE_FIELD}::uuid
        OR organisation_id = ${organisation.id}::uuid AND name IN ('Vertrag', 'Vertragsnummer', 'Betriebsstand')`,
    ),
  );
  await makeField(store, organisation, { id: EXAMPLE_FIELD, name: 'Vertrag' });
}

/** The public link that examples name; it is the only one of the organisation. */
async function giveExampleShare(store: OrgStore, { id }: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator(async (session) => {
    await session.run(sql`DELETE FROM shares WHERE id = ${EXAMPLE_SHARE}::uuid OR organisation_id = ${id}::uuid`);
    await session.run(insertShare(id, shareFixture({ id: EXAMPLE_SHARE })));
  });
}

/** The alert that examples name; it is the only one of the organisation. */
async function giveExampleAlert(store: OrgStore, organisation: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator((session) =>
    session.run(
      sql`DELETE FROM alerts WHERE id = ${EXAMPLE_ALERT}::uuid OR organisation_id = ${organisation.id}::uuid`,
    ),
  );
  await makeAlert(store, organisation, { id: EXAMPLE_ALERT, name: 'Neue Anlagen' });
}

/** The contact that examples name; its mail address is encrypted with a key of tests. */
async function giveExampleContact(store: OrgStore, { id }: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator((session) => session.run(sql`DELETE FROM contacts WHERE id = ${EXAMPLE_CONTACT}::uuid`));
  await makeContacts(store, id, [{ id: EXAMPLE_CONTACT, name: 'Beispiel, Erika', status: 'SUGGESTED' }]);
}

/** The mailbox that examples name, beside a general one; no other takes categories. */
async function giveExampleMailbox(store: OrgStore, organisation: Pick<OrganisationRow, 'id'>): Promise<void> {
  await store.asOperator((session) =>
    session.run(
      sql`DELETE FROM mailboxes WHERE id = ${EXAMPLE_MAILBOX}::uuid OR organisation_id = ${organisation.id}::uuid`,
    ),
  );
  await putMailbox(store, organisation, { name: 'Zentrale', general: true });
  await putMailbox(store, organisation, { id: EXAMPLE_MAILBOX, name: 'Leitwarte', categories: ['TECHNIK'] });
}

/** The key that examples revoke, and the admin for whom they make one. */
async function giveExampleKey(store: OrgStore, organisation: Pick<OrganisationRow, 'id'>): Promise<void> {
  const now = new Date().toISOString();
  await store.asOperator(async (session) => {
    await session.run(sql`DELETE FROM api_keys WHERE prefix = ${EXAMPLE_PREFIX}`);
    const users = await session.rows(userRow, usersOf(organisation.id));
    if (users.some(({ externalId }) => externalId === EXAMPLE_USER)) return;
    const admin = { id: randomUUIDv7(), externalId: EXAMPLE_USER, name: 'Anna Muster', email: null } as const;
    await session.run(putUsers(organisation.id, [{ ...admin, role: 'admin', createdAt: now, updatedAt: now }]));
  });
  await makeKey(store, organisation, { prefix: EXAMPLE_PREFIX, name: 'Alte Leitwarte', scopes: ['units:read'] });
}

/** Gives what the examples of a resource change, which can be asked only once: what they delete is gone then. */
export const GIVEN_ANEW: Readonly<
  Record<string, (store: OrgStore, organisation: Pick<OrganisationRow, 'id' | 'name'>) => Promise<void>>
> = {
  alerts: giveExampleAlert,
  connections: giveExampleInvitation,
  contacts: giveExampleContact,
  keys: giveExampleKey,
  mailboxes: giveExampleMailbox,
  'custom-fields': giveExampleField,
  webhooks: giveExampleEndpoint,
  'saved-filters': giveExampleFilter,
  shares: giveExampleShare,
};

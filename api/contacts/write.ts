import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { type EncryptionKeys, holdKeys, type Keyring } from '../../sql/org/encryption.ts';
import {
  type Contact,
  contactIdRow,
  contactIdsAmong,
  contactsById,
  contactsState,
  contactsStateRow,
  deleteContacts,
  lockContacts,
  MAX_CONTACTS,
  putContacts,
  readContacts,
} from '../../sql/org/records/contacts.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { rowOfId } from '../problem/own-rows.ts';
import { Problem, violated } from '../problem/problem.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { deletedBody, deletedShape } from '../wire/deleted.ts';
import { changed, contactChange, faultBetweenFields, fieldsOf, fingerprint, newContact } from './fields.ts';

/**
 * An organisation looks after its directory. The answers name nobody: they are kept for idempotency keys, and only the
 * directory encrypts what it has of people.
 */

/** The id in examples of operations that name a contact. */
export const EXAMPLE_CONTACT = '019a0f6e-7c1b-7d52-9f0e-00000000a001';

/** A text that is no UUID is an unknown id, and answered so. */
const contactPath = z.strictObject({ id: z.string().describe('Id of the contact, from GET /v1/contacts') });

const answer = z.strictObject({
  data: z.strictObject({
    id: z.uuid(),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime().describe('As in GET /v1/contacts, which shows the members'),
  }),
  meta: z.strictObject({}),
});

const body = ({ id, createdAt, updatedAt }: Contact) => ({
  body: { data: { id, angelegtAm: createdAt, geaendertAm: updatedAt }, meta: {} },
});

const writing = {
  access: 'api',
  scope: 'contacts:write',
  module: 'workspace',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  personalQuery: true,
} as const;

export const createContact = operation({
  ...writing,
  id: 'contacts.create',
  method: 'POST',
  path: '/v1/contacts',
  summary: 'A new contact',
  description: `An organisation has at most ${MAX_CONTACTS} contacts. Several may have the same name.`,
  body: newContact,
  answer,
  status: 201,
  problems: ['UNPROCESSABLE'],
  example: { body: { art: 'FUNCTION', name: 'Leitwarte Nord', telefon: '+49 431 1234-0' } },
  async handle({ body: sent, caller, service, records }) {
    const fields = fieldsOf(sent, 'MANUELL');
    mustFitTogether(fields);
    const { id: organisationId } = caller.organisation;
    const made = await records(async (session) => {
      const { at, count } = await lockedState(session, organisationId);
      if (count >= MAX_CONTACTS) {
        throw new Problem(
          'UNPROCESSABLE',
          `The organisation has ${count} contacts, which is the most; delete some first`,
        );
      }
      const contact: Contact = { id: randomUUIDv7(), ...fields, createdAt: at, updatedAt: at };
      await session.run(putContacts(organisationId, [contact], await keysToWriteWith(session, service.keyring)));
      return contact;
    });
    return body(made);
  },
});

export const changeContact = operation({
  ...writing,
  id: 'contacts.change',
  method: 'PATCH',
  path: '/v1/contacts/{id}',
  summary: 'Change a contact, or confirm one that was suggested',
  description: 'Members that are left out stay as they are; null empties one, except art, name, herkunft and status.',
  pathParameters: contactPath,
  body: contactChange,
  answer,
  problems: ['NOT_FOUND', 'UNPROCESSABLE', 'SERVICE_UNAVAILABLE'],
  example: { path: { id: EXAMPLE_CONTACT }, body: { status: 'CONFIRMED' } },
  async handle({ path, body: sent, caller, service, records }) {
    const { id: organisationId } = caller.organisation;
    const row = await records(async (session) => {
      const { at } = await lockedState(session, organisationId);
      const keys = await keysToWriteWith(session, service.keyring);
      const { id } = await contactIn(session, organisationId, path.id);
      const found = await readContacts(session, service.keyring, organisationId, contactsById(organisationId, [id]));
      const present = rowOfId(found, id, 'contact', 'GET /v1/contacts');
      const contact: Contact = { ...changed(present, sent), updatedAt: at };
      mustFitTogether(contact);
      if (fingerprint(contact) === fingerprint(present)) return present;
      await session.run(putContacts(organisationId, [contact], keys));
      return contact;
    }).catch(refuseUnreadable('Contacts'));
    return body(row);
  },
});

export const removeContact = operation({
  ...writing,
  id: 'contacts.delete',
  method: 'DELETE',
  path: '/v1/contacts/{id}',
  summary: 'Delete a contact for good',
  pathParameters: contactPath,
  answer: deletedShape('contact'),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_CONTACT } },
  async handle({ path, caller, records }) {
    const { id: organisationId } = caller.organisation;
    const deleted = await records(async (session) => {
      await session.run(lockContacts(organisationId));
      const { id } = await contactIn(session, organisationId, path.id);
      await session.run(deleteContacts(organisationId, [id]));
      return id;
    });
    return { body: deletedBody(deleted) };
  },
});

/** The time of a change of contacts, RFC 3339: later than every earlier one; and how many there are before it. */
interface LockedState {
  readonly at: string;
  readonly count: number;
}

/** Locks the contacts of an organisation until the transaction ends. */
export async function lockedState(session: Session, organisationId: string): Promise<LockedState> {
  // Each statement sees what was committed before it began, so the lock comes first, in a statement of its own.
  await session.run(lockContacts(organisationId));
  return singleRow(session, contactsStateRow, contactsState(organisationId));
}

/** Keys to write contacts with, which stay valid until the transaction ends. */
async function keysToWriteWith(session: Session, keyring: Keyring): Promise<EncryptionKeys> {
  await session.run(holdKeys);
  return keyring.keys();
}

/** Finds the id of a contact without decrypting it. @throws Problem NOT_FOUND */
async function contactIn(session: Session, organisationId: string, id: string): Promise<{ readonly id: string }> {
  const isUuid = z.uuid().safeParse(id.toLowerCase()).success;
  const found = isUuid ? await session.rows(contactIdRow, contactIdsAmong(organisationId, [id])) : [];
  return rowOfId(found, id, 'contact', 'GET /v1/contacts');
}

/** @throws Problem UNPROCESSABLE when members do not go together */
function mustFitTogether(fields: Parameters<typeof faultBetweenFields>[0]): void {
  const fault = faultBetweenFields(fields);
  if (fault === null) return;
  const { name, message } = fault;
  throw violated([{ pointer: `#/${name}`, code: 'UNPROCESSABLE', detail: `${name} ${message}` }]);
}

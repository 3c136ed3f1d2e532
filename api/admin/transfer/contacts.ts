import { z } from 'zod';
import {
  CONTACT_KINDS,
  CONTACT_ORIGINS,
  CONTACT_STATUSES,
  type Contact,
  MAX_CONTACTS,
  putContacts,
  readAllContacts,
  SALUTATIONS,
} from '../../../sql/org/records/contacts.ts';
import { sql } from '../../../sql/org/statement.ts';
import { EMPTY_CONTACT, fingerprint, telephone } from '../../contacts/fields.ts';
import { lockedState } from '../../contacts/write.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { email } from '../../wire/email.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { timestampOption, uuid } from '../common/schemas.ts';
import { keysToWriteWith } from '../contacts/contacts-to-change.ts';
import { idsOf } from './ids.ts';
import type { DocumentMembers } from './merge.ts';
import { type Fault, type Pair, section } from './section.ts';

const NAME = 'contacts';

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/**
 * The contact directory. In a document e-mail addresses and telephone numbers are as they are, in another store another
 * key encrypts them.
 */
export const contacts = section<Contact>({
  name: NAME,
  shape: z.strictObject({
    id: uuid(),
    kind: oneOf(CONTACT_KINDS),
    name: line(NAME_LENGTH),
    firstName: line(NAME_LENGTH).nullable(),
    lastName: line(NAME_LENGTH).nullable(),
    salutation: oneOf(SALUTATIONS).nullable(),
    title: line(NAME_LENGTH).nullable(),
    email: email().nullable(),
    telephone: telephone().nullable(),
    company: line(NAME_LENGTH).nullable(),
    position: line(NAME_LENGTH).nullable(),
    origin: oneOf(CONTACT_ORIGINS),
    status: oneOf(CONTACT_STATUSES),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'id',
  defaults: (now) => ({ ...NEW_CONTACT, createdAt: now, updatedAt: now }),
  read: (session, organisationId, { settings }) => readAllContacts(session, openKeyring(settings), organisationId),
  async write(session, organisationId, items, { settings }) {
    const { keys } = await keysToWriteWith(session, settings);
    await session.run(putContacts(organisationId, items, keys));
  },
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM contacts WHERE id = ANY (${ids}::uuid[])`),
  timeOfChange: async (session, organisationId) => (await lockedState(session, organisationId)).at,
  identify,
  async faults(session, organisationId, pairs) {
    const { count } = await lockedState(session, organisationId);
    return [...pairs.flatMap(salutationOfFunction), ...tooMany(count, pairs)];
  },
});

const NEW_CONTACT = { ...EMPTY_CONTACT, origin: 'MANUELL' } as const;

/** A contact without an id is the one that is equal in all fields, so that a document can be imported twice. */
function identify(items: readonly DocumentMembers[], stored: readonly Contact[]): readonly DocumentMembers[] {
  const ids = Map.groupBy(stored, fingerprint);
  return items.map((item) => {
    if (item.id !== undefined) return item;
    const equal = ids
      .get(fingerprint({ ...NEW_CONTACT, ...(item as Partial<Contact> & Pick<Contact, 'kind' | 'name'>) }))
      ?.shift();
    return equal === undefined ? item : { ...item, id: equal.id };
  });
}

const salutationOfFunction = ({ index, updated: { kind, salutation } }: Pair<Contact>): Fault[] =>
  kind === 'PERSON' || salutation === null
    ? []
    : [{ path: [NAME, index, 'salutation'], message: 'is only for kind PERSON; a FUNCTION has none' }];

function tooMany(count: number, pairs: readonly Pair<Contact>[]): Fault[] {
  const all = count + pairs.filter(({ present }) => present === null).length;
  if (all <= MAX_CONTACTS) return [];
  return [{ path: [NAME], message: `would make it ${all} contacts; an organisation has at most ${MAX_CONTACTS}` }];
}

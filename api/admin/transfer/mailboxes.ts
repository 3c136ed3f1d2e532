import { z } from 'zod';
import { inByteOrder } from '../../../runtime/byte-order.ts';
import {
  CATEGORIES,
  type MailboxRow,
  mailboxesOf,
  mailboxRow,
  putMailboxes,
} from '../../../sql/org/records/mailboxes.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { userRow, usersOf } from '../../../sql/org/users.ts';
import { mailboxName } from '../../mailboxes/mailbox.ts';
import { externalId, timestampOption, uuid } from '../common/schemas.ts';
import { idsOf } from './ids.ts';
import { type Fault, type Pair, section } from './section.ts';

const NAME = 'mailboxes';

/** The mailboxes, which name users of the organisation. */
export const mailboxes = section<MailboxRow>({
  name: NAME,
  shape: z.strictObject({
    id: uuid(),
    name: mailboxName(),
    general: z.boolean(),
    categories: z
      .array(z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`))
      .transform((given) => CATEGORIES.filter((category) => given.includes(category))),
    users: z.array(externalId()).transform((given) => inByteOrder([...new Set(given)])),
    createdAt: timestampOption(),
    updatedAt: timestampOption(),
  }),
  key: 'name',
  defaults: (now) => ({ general: false, categories: [], users: [], createdAt: now, updatedAt: now }),
  read: (session, organisationId) => session.rows(mailboxRow, mailboxesOf(organisationId)),
  write: putMailboxes,
  existingIds: (session, ids) => idsOf(session, sql`SELECT id FROM mailboxes WHERE id = ANY (${ids}::uuid[])`),
  faults: async (session, organisationId, pairs) => {
    const kept = await session.rows(mailboxRow, mailboxesOf(organisationId));
    const named = new Set(pairs.map(({ updated }) => updated.name));
    const others = kept.filter(({ name }) => !named.has(name));
    return [
      ...generalFaults(others, pairs),
      ...categoryFaults(others, pairs),
      ...(await unknownUsers(session, organisationId, pairs)),
    ];
  },
});

/** Exactly one mailbox has to be general, of those in the document and the others that stay as they are. */
function generalFaults(others: readonly MailboxRow[], pairs: readonly Pair<MailboxRow>[]): Fault[] {
  const general = pairs.filter(({ updated }) => updated.general);
  const other = others.find((mailbox) => mailbox.general);
  const [first] = general;
  if (pairs.length > 0 && first === undefined && other === undefined) {
    return [{ path: [NAME], message: 'has no mailbox that is general, and neither has the store; one must be' }];
  }
  const before = other === undefined ? `#/${NAME}/${first?.index}` : `the mailbox ${other.name} in the store`;
  return general
    .filter((pair) => other !== undefined || pair !== first)
    .map(({ index }) => ({
      path: [NAME, index, 'general'],
      message: `is true of ${before}, too; only one may be general`,
    }));
}

function categoryFaults(others: readonly MailboxRow[], pairs: readonly Pair<MailboxRow>[]): Fault[] {
  const places = new Map<string, string>();
  for (const { name, categories } of others) {
    for (const category of categories) places.set(category, `to the mailbox ${name} in the store`);
  }
  return pairs.flatMap(({ index, updated }) =>
    updated.categories.flatMap((category): Fault[] => {
      const before = places.get(category);
      if (before === undefined) places.set(category, `to #/${NAME}/${index}`);
      const message = `names ${category}, which goes ${before} already`;
      return before === undefined ? [] : [{ path: [NAME, index, 'categories'], message }];
    }),
  );
}

async function unknownUsers(
  session: Session,
  organisationId: string,
  pairs: readonly Pair<MailboxRow>[],
): Promise<Fault[]> {
  const known = new Set((await session.rows(userRow, usersOf(organisationId))).map((user) => user.externalId));
  return pairs.flatMap(({ index, updated: { users } }) =>
    users
      .filter((user) => !known.has(user))
      .map((user) => ({
        path: [NAME, index, 'users'],
        message: `names ${user}, who is no user of the organisation`,
      })),
  );
}

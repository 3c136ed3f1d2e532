import { type MailboxRow, putMailboxes } from '../../sql/org/records/mailboxes.ts';
import type { Session } from '../../sql/org/store.ts';
import { userRow, usersOf } from '../../sql/org/users.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeAmong } from '../wire/among.ts';

/** A mailbox with what other mailboxes lost to it. */
export interface Routed {
  readonly mailbox: MailboxRow;
  readonly taken: readonly { readonly category: MailboxRow['categories'][number]; readonly from: string }[];
  /** The mailbox that was general before; null unless another one was. */
  readonly generalBefore: string | null;
}

/**
 * Writes a mailbox, and takes from the others what it gets: one mailbox is general, and a category is in at most one.
 * @param others the other mailboxes of the organisation
 * @throws Problem CONFLICT for a category of another mailbox, UNPROCESSABLE for unknown users
 */
export async function routeTo(
  session: Session,
  organisationId: string,
  mailbox: MailboxRow,
  others: readonly MailboxRow[],
  take: boolean,
): Promise<Routed> {
  await mustBeUsers(session, organisationId, mailbox.users);
  const taken = others.flatMap(({ name, categories }) =>
    categories
      .filter((category) => mailbox.categories.includes(category))
      .map((category) => ({ category, from: name })),
  );
  if (taken.length > 0 && !take) {
    const places = taken.map(({ category, from }) => `${category} goes to the mailbox ${JSON.stringify(from)}`);
    throw new Problem('CONFLICT', `${places.join(', ')}; with uebernehmen they come to this one instead`);
  }
  const generalBefore = (mailbox.general && others.find(({ general }) => general)) || null;
  const losing = others
    .filter(({ name }) => name === generalBefore?.name || taken.some(({ from }) => from === name))
    .map((other) => ({
      ...other,
      general: other.general && !mailbox.general,
      categories: other.categories.filter((category) => !mailbox.categories.includes(category)),
      updatedAt: mailbox.updatedAt,
    }));
  await putMailboxes(session, organisationId, [mailbox, ...losing]);
  return { mailbox, taken, generalBefore: generalBefore?.name ?? null };
}

async function mustBeUsers(session: Session, organisationId: string, users: readonly string[]): Promise<void> {
  if (users.length === 0) return;
  const known = (await session.rows(userRow, usersOf(organisationId))).map(({ externalId }) => externalId);
  mustBeAmong('nutzer', users, known, 'which is no user of the organisation');
}

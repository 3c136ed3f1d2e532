import { refused } from '../../../runtime/command-line/exit.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type MailboxRow, mailboxesOf, mailboxRow, putMailboxes } from '../../../sql/org/records/mailboxes.ts';
import type { Session } from '../../../sql/org/store.ts';
import { userRow, usersOf } from '../../../sql/org/users.ts';
import { suggestion } from '../../wire/nearest.ts';
import { joined, table } from '../common/text-table.ts';

/** The rules that all commands on mailboxes keep: one mailbox is general, and a category is in at most one. */

/**
 * The mailbox of this name or UUID among those of an organisation.
 * @throws CommandFailed suggesting the nearest name
 */
export function mailboxNamed(
  mailboxes: readonly MailboxRow[],
  reference: string,
  { externalId }: OrganisationRow,
): MailboxRow {
  const found = mailboxes.find(({ id, name }) => name === reference || id === reference.toLowerCase());
  if (found !== undefined) return found;
  const names = mailboxes.map(({ name }) => name);
  throw refused(
    `${externalId} has no mailbox ${reference}${suggestion(reference, names)}\n` +
      `Those it has: npm run admin -- mailboxes list ${externalId}`,
  );
}

export const readMailboxes = (session: Session, { id }: OrganisationRow): Promise<MailboxRow[]> =>
  session.rows(mailboxRow, mailboxesOf(id));

/** A mailbox with what other mailboxes lose to it. */
export interface Routed {
  readonly mailbox: MailboxRow;
  readonly taken: readonly { readonly category: string; readonly from: string }[];
  /** The mailbox that was general before; null unless another one was. */
  readonly generalBefore: string | null;
}

/**
 * Writes a mailbox, and takes from the others what it gets.
 * @param others the other mailboxes of the organisation
 * @throws CommandFailed for a name or a category of another mailbox, and for unknown users
 */
export async function routeTo(
  session: Session,
  organisation: OrganisationRow,
  mailbox: MailboxRow,
  others: readonly MailboxRow[],
  take: boolean,
): Promise<Routed> {
  if (others.some(({ name }) => name === mailbox.name)) {
    throw refused(
      `${organisation.externalId} has a mailbox ${mailbox.name} already\n` +
        `To change it: npm run admin -- mailboxes change ${organisation.externalId} ${quoted(mailbox.name)} …`,
    );
  }
  await refuseUnknownUsers(session, organisation, mailbox.users);
  const taken = others.flatMap(({ name, categories }) =>
    categories
      .filter((category) => mailbox.categories.includes(category))
      .map((category) => ({ category, from: name })),
  );
  if (taken.length > 0 && !take) {
    const places = taken.map(({ category, from }) => `${category} goes to the mailbox ${from}`);
    throw refused(`${places.join('\n')}\nWith --take it goes to ${mailbox.name} instead. Nothing was changed`);
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
  await putMailboxes(session, organisation.id, [mailbox, ...losing]);
  return { mailbox, taken, generalBefore: generalBefore?.name ?? null };
}

async function refuseUnknownUsers(
  session: Session,
  { id, externalId: organisation }: OrganisationRow,
  users: readonly string[],
): Promise<void> {
  const known = (await session.rows(userRow, usersOf(id))).map(({ externalId }) => externalId);
  const unknown = users.filter((user) => !known.includes(user));
  if (unknown.length === 0) return;
  const lines = unknown.map((user) => `${organisation} has no user ${user}${suggestion(user, known)}`);
  throw refused(`${lines.join('\n')}\nThose it has: npm run admin -- users list ${organisation}`);
}

export const mailboxTable = (mailboxes: readonly MailboxRow[]): string =>
  table(
    ['mailbox', 'general', 'categories', 'users', 'id'],
    mailboxes.map(({ name, general, categories, users, id }) => [
      name,
      general ? 'yes' : 'no',
      joined(categories),
      joined(users),
      id,
    ]),
  );

/** Tells people which categories, and which role, other mailboxes lost. */
export const routingNote = ({ taken, generalBefore }: Routed): string =>
  [
    ...taken.map(({ category, from }) => `${category} went to the mailbox ${from} before.`),
    ...(generalBefore === null ? [] : [`The general mailbox was ${generalBefore} before.`]),
  ].join('\n');

/** As it is typed in a shell. */
export const quoted = (name: string): string => (/^[\w.@+-]+$/.test(name) ? name : `"${name}"`);

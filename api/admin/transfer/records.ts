import { z } from 'zod';
import { inByteOrder } from '../../../runtime/byte-order.ts';
import { contactShape, MAX_CONTACTS, putContacts, readAllContacts } from '../../../sql/org/records/contacts.ts';
import { CATEGORIES, mailboxesOf, mailboxRow, putMailboxes } from '../../../sql/org/records/mailboxes.ts';
import { portfolioPage, portfolioRow, putPortfolio } from '../../../sql/org/records/portfolio.ts';
import { putSavedFilters, savedFilterRow, savedFiltersOf } from '../../../sql/org/records/saved-filters.ts';
import { sql } from '../../../sql/org/statement.ts';
import { EMPTY_CONTACT, fingerprint, MEMBER_SHAPES } from '../../contacts/fields.ts';
import { lockedState } from '../../contacts/write.ts';
import { mailboxName, writtenMembers } from '../../mailboxes/mailbox.ts';
import { criteriaShape } from '../../saved-filters/criteria.ts';
import { viewShape } from '../../saved-filters/view.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { line, NAME_LENGTH } from '../../wire/line.ts';
import { mastrNumber } from '../../wire/parameters.ts';
import { keysToWriteWith } from '../common/encryption.ts';
import { externalId, storable } from '../common/schemas.ts';
import { NO_USER, userNames } from './access.ts';
import { rowSection, unknownNames } from './section.ts';

/** Records that are in a document as they are in the store. */

const EVERYTHING = { relationTypes: null, includeRemoved: true, after: null, limit: Number.MAX_SAFE_INTEGER };

/** The portfolio with its removed entries, which readers of deltas still have to see. */
export const portfolio = rowSection({
  ...{ name: 'portfolio', table: sql`portfolio_entries`, key: 'mastrNumber', row: portfolioRow, put: putPortfolio },
  all: (organisationId) => portfolioPage(organisationId, EVERYTHING),
  members: { mastrNumber: mastrNumber(), externalRefs: z.record(storable(), storable()) },
  defaults: { externalRefs: {}, removedAt: null },
});

/** Saved filters with their criteria, which only the operator may read. */
export const savedFilters = rowSection({
  ...{ name: 'savedFilters', table: sql`saved_filters`, key: 'name', row: savedFilterRow },
  ...{ all: savedFiltersOf, put: putSavedFilters },
  members: { name: line(NAME_LENGTH), criteria: criteriaShape, view: viewShape.nullable() },
  defaults: { kind: 'table', view: null },
});

const NEW_CONTACT = { ...EMPTY_CONTACT, origin: 'MANUELL' } as const;

/**
 * The contact directory. In a document e-mail addresses and telephone numbers are as they are, in another store another
 * key encrypts them.
 */
export const contacts = rowSection({
  ...{ name: 'contacts', table: sql`contacts`, key: 'id', row: contactShape, members: MEMBER_SHAPES },
  defaults: NEW_CONTACT,
  read: ({ session, organisation, settings }) => readAllContacts(session, openKeyring(settings), organisation.id),
  async write({ session, organisation, settings }, items) {
    const { keys } = await keysToWriteWith(session, settings);
    await session.run(putContacts(organisation.id, items, keys));
  },
  timeOfChange: async ({ session, organisation }) => (await lockedState(session, organisation.id)).at,
  // A contact without an id is the one that is equal in all fields, so that a document can be imported twice.
  identify(items, stored) {
    const equal = Map.groupBy(stored, fingerprint);
    return items.map((item) => {
      if (item.id !== undefined) return item;
      const same = equal.get(fingerprint({ ...NEW_CONTACT, ...item } as (typeof stored)[number]))?.shift();
      return same === undefined ? item : { ...item, id: same.id };
    });
  },
  complaintOfList: ({ length }) =>
    length > MAX_CONTACTS && `would make it ${length} contacts; an organisation has at most ${MAX_CONTACTS}`,
  rules: async () => (contact) => [
    contact.kind === 'FUNCTION' &&
      contact.salutation !== null && ['is only for kind PERSON; a FUNCTION has none', 'salutation'],
  ],
});

/** The mailboxes, which name users of the organisation. Exactly one is general, and a category goes to one. */
export const mailboxes = rowSection({
  ...{ name: 'mailboxes', table: sql`mailboxes`, key: 'name', row: mailboxRow, all: mailboxesOf },
  write: ({ session, organisation }, items) => putMailboxes(session, organisation.id, items),
  members: {
    name: mailboxName(),
    categories: z
      .array(writtenMembers.kategorien.element)
      .transform((given) => CATEGORIES.filter((category) => given.includes(category))),
    users: z.array(externalId()).transform((given) => inByteOrder([...new Set(given)])),
  },
  defaults: { general: false, categories: [], users: [] },
  complaintOfList: (list) =>
    !list.some(({ general }) => general) &&
    list.length > 0 &&
    'has no mailbox that is general, and neither has the store; one must be',
  async rules(place, _, kept) {
    const known = await userNames(place);
    let general = kept.filter((mailbox) => mailbox.general).map(({ name }) => `the mailbox ${name} in the store`)[0];
    const places = new Map(
      kept.flatMap(({ name, categories }) =>
        categories.map((category) => [category, `to the mailbox ${name} in the store`]),
      ),
    );
    return (mailbox, _present, index) => {
      const before = mailbox.general ? general : undefined;
      if (mailbox.general) general ??= `#/mailboxes/${index}`;
      return [
        before !== undefined && [`is true of ${before}, too; only one may be general`, 'general'],
        ...mailbox.categories.map((category) => {
          const other = places.get(category);
          places.set(category, other ?? `to #/mailboxes/${index}`);
          return other !== undefined && ([`names ${category}, which goes ${other} already`, 'categories'] as const);
        }),
        ...unknownNames(mailbox.users, known, NO_USER, 'users'),
      ];
    };
  },
});

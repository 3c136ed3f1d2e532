import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { inByteOrder } from '../../runtime/byte-order.ts';
import { organisationToChange } from '../../sql/org/organisations.ts';
import {
  CATEGORIES,
  deleteMailbox,
  type MailboxRow,
  mailboxesOf,
  mailboxRow,
  threadsIn,
  threadsRow,
} from '../../sql/org/records/mailboxes.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import type { Session } from '../../sql/org/store.ts';
import { operation } from '../operation/operation.ts';
import { mustBeFree, rowOfId } from '../problem/own-rows.ts';
import { Problem } from '../problem/problem.ts';
import { EXAMPLE_MAILBOX, mailboxPath, mailboxShape, shownMailbox, writtenMembers } from './mailbox.ts';
import { type Routed, routeTo } from './routing.ts';

/** An organisation decides which of its users see which threads: a thread lies in the mailbox that takes its category. */

const MAX_MAILBOXES = 100;

const answer = z.strictObject({
  data: mailboxShape,
  meta: z.strictObject({
    entzogen: z
      .array(z.strictObject({ kategorie: z.enum(CATEGORIES), postfach: z.string() }))
      .describe('Categories that went to another mailbox before, and the name of that'),
    vorherAllgemein: z.string().nullable().describe('Name of the mailbox that was the general one before; null: none'),
  }),
});

const body = ({ mailbox, taken, generalBefore }: Routed) => ({
  body: {
    data: shownMailbox(mailbox),
    meta: {
      entzogen: taken.map(({ category, from }) => ({ kategorie: category, postfach: from })),
      vorherAllgemein: generalBefore,
    },
  },
});

const writing = {
  access: 'api',
  scope: 'mailboxes:write',
  module: 'connection',
  cost: 'mutation',
  replayable: true,
  source: 'service',
} as const;

const { name, nutzer, kategorien, allgemein, uebernehmen } = writtenMembers;

export const listMailboxes = operation({
  id: 'mailboxes.list',
  method: 'GET',
  path: '/v1/mailboxes',
  summary: 'Mailboxes, the general one first',
  access: 'api',
  scope: 'mailboxes:read',
  module: 'connection',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({ data: z.array(mailboxShape), meta: z.strictObject({ count: z.int() }) }),
  async handle({ caller, records }) {
    const rows = await records((session) => session.rows(mailboxRow, mailboxesOf(caller.organisation.id)));
    return { body: { data: rows.map(shownMailbox), meta: { count: rows.length } } };
  },
});

export const createMailbox = operation({
  ...writing,
  id: 'mailboxes.create',
  method: 'POST',
  path: '/v1/mailboxes',
  summary: 'A new mailbox, in which threads of some categories lie',
  description:
    'A thread lies in the mailbox that takes its category, else in the general one; so an organisation with mailboxes has ' +
    'exactly one that is general: the first, until another one becomes so. Routing holds for all threads at once.',
  body: z.strictObject({
    name,
    nutzer: nutzer.optional(),
    kategorien: kategorien.optional(),
    allgemein: allgemein.optional(),
    uebernehmen: uebernehmen.optional(),
  }),
  answer,
  status: 201,
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  example: { body: { name: 'Störungsdienst', kategorien: ['STOERUNG'] } },
  async handle({ body: sent, caller, records }) {
    const routed = await records(async (session) => {
      const others = await lockedMailboxes(session, caller.organisation.id);
      mustBeFree(others, sent.name, named);
      if (others.length >= MAX_MAILBOXES) {
        const detail = `The organisation has ${others.length} mailboxes, and at most ${MAX_MAILBOXES} are allowed; delete one first`;
        throw new Problem('UNPROCESSABLE', detail);
      }
      const now = new Date().toISOString();
      const mailbox: MailboxRow = {
        ...{ id: randomUUIDv7(), name: sent.name, general: sent.allgemein === true || others.length === 0 },
        ...{ categories: sorted(sent.kategorien ?? []), users: inByteOrder([...new Set(sent.nutzer)]) },
        ...{ createdAt: now, updatedAt: now },
      };
      return routeTo(session, caller.organisation.id, mailbox, others, sent.uebernehmen === true);
    });
    return body(routed);
  },
});

export const changeMailbox = operation({
  ...writing,
  id: 'mailboxes.change',
  method: 'PATCH',
  path: '/v1/mailboxes/{id}',
  summary: 'Change name, users or categories of a mailbox, or make it the general one',
  description:
    'Members that are left out stay as they are. A general mailbox stays general until another one becomes so.',
  pathParameters: mailboxPath,
  body: z.strictObject({
    name: name.optional(),
    nutzer: nutzer.optional(),
    kategorien: kategorien.optional(),
    allgemein: allgemein.optional(),
    uebernehmen: uebernehmen.optional(),
  }),
  answer,
  problems: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_MAILBOX }, body: { kategorien: ['TECHNIK'], uebernehmen: true } },
  async handle({ path, body: sent, caller, records }) {
    const routed = await records(async (session): Promise<Routed> => {
      const mailboxes = await lockedMailboxes(session, caller.organisation.id);
      const present = mailboxIn(mailboxes, path.id);
      const wanted: MailboxRow = {
        ...present,
        name: sent.name ?? present.name,
        users: inByteOrder([...new Set(sent.nutzer ?? present.users)]),
        categories: sorted(sent.kategorien ?? present.categories),
        general: present.general || sent.allgemein === true,
      };
      mustBeFree(mailboxes, wanted.name, named, present.id);
      if (isDeepStrictEqual(wanted, present)) return { mailbox: present, taken: [], generalBefore: null };
      const others = mailboxes.filter(({ id }) => id !== present.id);
      const mailbox = { ...wanted, updatedAt: new Date().toISOString() };
      return routeTo(session, caller.organisation.id, mailbox, others, sent.uebernehmen === true);
    });
    return body(routed);
  },
});

export const removeMailbox = operation({
  ...writing,
  id: 'mailboxes.delete',
  method: 'DELETE',
  path: '/v1/mailboxes/{id}',
  summary: 'Delete a mailbox; its threads lie in the general one from then on',
  description: 'No thread and no message is lost. The general mailbox can only be deleted as the last one.',
  pathParameters: mailboxPath,
  answer: z.strictObject({
    data: z.null(),
    meta: z.strictObject({
      deleted: z.uuid().describe('Id of the mailbox that was'),
      threads: z.int().describe('Threads that lay in it'),
      postfach: z.string().nullable().describe('Name of the mailbox in which they lie now; null: there is none'),
    }),
  }),
  problems: ['CONFLICT', 'NOT_FOUND'],
  example: { path: { id: EXAMPLE_MAILBOX } },
  async handle({ path, caller, records }) {
    const meta = await records(async (session) => {
      const mailboxes = await lockedMailboxes(session, caller.organisation.id);
      const { id, general } = mailboxIn(mailboxes, path.id);
      const others = mailboxes.filter((mailbox) => mailbox.id !== id);
      if (general && others.length > 0) {
        const detail =
          'It is the general mailbox, in which everything lies that no other takes; make another one general first';
        throw new Problem('CONFLICT', detail);
      }
      const { threads } = await singleRow(session, threadsRow, threadsIn(caller.organisation.id, id));
      await session.run(deleteMailbox(id));
      return { deleted: id, threads, postfach: others.find((other) => other.general)?.name ?? null };
    });
    return { body: { data: null, meta } };
  },
});

/** Reads all mailboxes of an organisation; other calls that write them wait until the transaction ends. */
async function lockedMailboxes(session: Session, organisationId: string): Promise<MailboxRow[]> {
  await session.run(organisationToChange(organisationId));
  return session.rows(mailboxRow, mailboxesOf(organisationId));
}

const mailboxIn = (present: readonly MailboxRow[], id: string): MailboxRow =>
  rowOfId(present, id, 'mailbox', 'GET /v1/mailboxes');

const named = ({ id }: MailboxRow): string => `mailbox ${id}`;

/** Categories are a set, which is shown in one order. */
const sorted = (categories: readonly MailboxRow['categories'][number][]): MailboxRow['categories'] =>
  CATEGORIES.filter((category) => categories.includes(category));

import { z } from 'zod';
import { isUuid } from '../../sql/org/organisations.ts';
import { CATEGORIES, type MailboxRow } from '../../sql/org/records/mailboxes.ts';
import { line, NAME_LENGTH } from '../wire/line.ts';

/** Mailboxes as they go over the wire. */

/** The id in examples of operations that name a mailbox. */
export const EXAMPLE_MAILBOX = '019a0f6e-7c1b-7d52-9f0e-00000000e001';

/** The path parameter of operations about one mailbox. A text that is no UUID is an unknown id, and answered so. */
export const mailboxPath = z.strictObject({ id: z.string().describe('Id of the mailbox, from GET /v1/mailboxes') });

/** It must not look like a UUID, since commands accept both. */
export const mailboxName = () =>
  line(NAME_LENGTH).refine((name) => !isUuid(name), 'must not look like a UUID: those are given by the service');

const MAX_USERS = 1000;

/** The members of a mailbox that its organisation writes. */
export const writtenMembers = {
  name: mailboxName().describe('Name, which no other mailbox of the organisation has'),
  nutzer: z
    .array(z.string('must be a text').min(1, 'must not be empty'))
    .max(MAX_USERS, `must not have more than ${MAX_USERS} users`)
    .describe('External ids of the users who work with it; instead of those it had'),
  kategorien: z
    .array(z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`))
    .max(CATEGORIES.length, `must not have more than ${CATEGORIES.length} categories`)
    .describe('Categories whose threads lie in it; instead of those it had'),
  allgemein: z
    .literal(true, 'must be true: another mailbox becomes the general one instead')
    .describe('It also takes what no other mailbox takes, instead of the one that did so before'),
  uebernehmen: z.literal(true, 'must be true, or absent').describe('Takes categories away from other mailboxes'),
};

export const mailboxShape = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    allgemein: z.boolean().describe('true for the one mailbox that takes what no other takes'),
    kategorien: z.array(z.enum(CATEGORIES)).describe('Categories whose threads lie in it'),
    nutzer: z.array(z.string()).describe('External ids of the users who work with it'),
    angelegtAm: z.iso.datetime(),
    geaendertAm: z.iso.datetime(),
  })
  .meta({ id: 'Mailbox' });

export const shownMailbox = (row: MailboxRow): z.infer<typeof mailboxShape> => ({
  id: row.id,
  name: row.name,
  allgemein: row.general,
  kategorien: row.categories,
  nutzer: row.users,
  angelegtAm: row.createdAt,
  geaendertAm: row.updatedAt,
});

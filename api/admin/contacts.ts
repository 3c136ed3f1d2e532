import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { file, flag, option, rest } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { organisationToChange } from '../../sql/org/organisations.ts';
import {
  CONTACT_KINDS,
  CONTACT_STATUSES,
  type Contact,
  confirmContacts,
  contactIdRow,
  contactIdsAmong,
  deleteContacts,
  MAX_CONTACTS,
  putContacts,
  readAllContacts,
} from '../../sql/org/records/contacts.ts';
import { shownContact } from '../contacts/contact.ts';
import { changed, FIELD_NAMES, faultBetweenFields, fieldsOf, fingerprint, newContact } from '../contacts/fields.ts';
import { changeContact, createContact, lockedState } from '../contacts/write.ts';
import { openKeyring } from '../secrets/encryption-keys.ts';
import { adminCommand } from './common/admin-command.ts';
import { keysToWriteWith } from './common/encryption.ts';
import { lockOrganisation, organisationArgument } from './common/find-organisation.ts';
import { operationCommand } from './common/operation-command.ts';
import { type Asked, logged, organisationCommand } from './common/organisation-command.ts';
import { uuid } from './common/schemas.ts';
import { withoutStatementTimeout } from './common/statement-timeout.ts';
import { listing, moment } from './common/text-table.ts';
import { type ContactLine, faultLines, type LineFault, readContactLines } from './contacts-csv.ts';

/** The contact directory of an organisation. */

const EXAMPLE = 'stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001';

/** The document is read from a file, since arguments stand in the list of processes. */
const written = { document: 'the document', encrypts: true } as const;

const named = {
  examples: [EXAMPLE],
  parameters: { contacts: rest('the ids of contacts', z.array(uuid()).min(1)) },
  locks: organisationToChange,
};

/**
 * Locks the contacts, and finds out that these are there without decrypting them.
 * @returns the time of the change @throws CommandFailed when the organisation has no such contact
 */
async function contactsToChange({ session, organisation }: Asked, ids: readonly string[]): Promise<string> {
  const { id, externalId } = organisation;
  const { at } = await lockedState(session, id);
  const known = new Set((await session.rows(contactIdRow, contactIdsAmong(id, ids))).map((contact) => contact.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return at;
  throw refused(
    `${externalId} has no contact ${unknown.join(', ')}. Nothing was done\n` +
      `Those it has: npm run admin -- contacts list ${externalId}`,
  );
}

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`).optional();

/** Contacts that one statement writes. */
const BATCH_SIZE = 1_000;

/** Finds out what a file does to the contacts that there are. @param at time of the change */
function effectOf(lines: readonly ContactLine[], present: readonly Contact[], at: string) {
  const byId = new Map(present.map((contact) => [contact.id, contact]));
  const known = new Set(present.map(fingerprint));
  const lineOfId = new Map<string, number>();
  const created: Contact[] = [];
  const updated: Contact[] = [];
  const faults: LineFault[] = [];
  let unchanged = 0;

  const takeIn = ({ line, id, fields }: ContactLine): string | undefined => {
    if (id === null) {
      const contact: Contact = {
        ...{ id: randomUUIDv7(), ...fieldsOf(newContact.parse(fields), 'IMPORT') },
        ...{ createdAt: at, updatedAt: at },
      };
      const print = fingerprint(contact);
      if (known.has(print)) unchanged += 1;
      else created.push(contact);
      known.add(print);
      return said(contact);
    }
    const before = byId.get(id);
    if (before === undefined) return 'id is that of no contact of the organisation';
    const first = lineOfId.get(id);
    if (first !== undefined) return `id is that of line ${first}, too`;
    lineOfId.set(id, line);
    const contact = { ...changed(before, fields), updatedAt: at };
    if (fingerprint(contact) === fingerprint(before)) unchanged += 1;
    else updated.push(contact);
    return said(contact);
  };

  for (const each of lines) {
    const message = takeIn(each);
    if (message !== undefined) faults.push({ line: each.line, message });
  }
  return { created, updated, unchanged, faults };
}

function said(contact: Contact): string | undefined {
  const fault = faultBetweenFields(contact);
  return fault === null ? undefined : `${fault.name} ${fault.message}`;
}

/** The commands about contacts, in the order of the help. */
export const contactCommands = [
  organisationCommand({
    name: 'contacts list',
    summary: 'the contacts of an organisation, by name',
    examples: ['stadtwerk', 'stadtwerk --status SUGGESTED', 'stadtwerk --kind FUNCTION --json'],
    parameters: {
      kind: option('<kind>', 'only PERSON or only FUNCTION', oneOf(CONTACT_KINDS)),
      status: option('<status>', 'only CONFIRMED or only SUGGESTED', oneOf(CONTACT_STATUSES)),
    },
    async run({ session, organisation, settings }, { kind = null, status }) {
      const contacts = await readAllContacts(session, openKeyring(settings), organisation.id, kind);
      return contacts.filter((contact) => status === undefined || contact.status === status).map(shownContact);
    },
    format: listing<ReturnType<typeof shownContact>>('No contacts', {
      ...{ name: 'name', art: 'art', firma: 'firma', position: 'position', email: 'email', telefon: 'telefon' },
      ...{ herkunft: 'herkunft', status: 'status', changed: ({ geaendertAm }) => moment(geaendertAm), id: 'id' },
    }),
  }),
  operationCommand(createContact, {
    ...written,
    name: 'contacts create',
    summary: 'make a contact of an organisation from a JSON document',
    description: `The document is an object with the members ${FIELD_NAMES.join(', ')}, of which art (PERSON or FUNCTION) and name are required.`,
    examples: ['stadtwerk contact.json', 'stadtwerk - < contact.json'],
  }),
  operationCommand(changeContact, {
    ...written,
    name: 'contacts change',
    summary: 'change a contact of an organisation as a JSON document says',
    description: `The document is an object with some of the members ${FIELD_NAMES.join(', ')}. Others stay as they are; null empties one, except art, name, herkunft and status.`,
    examples: [`${EXAMPLE} change.json`],
  }),
  organisationCommand({
    ...named,
    name: 'contacts confirm',
    summary: 'confirm contacts of an organisation that were only suggested',
    async run(asked, { contacts }) {
      const { session, organisation } = asked;
      const at = await contactsToChange(asked, contacts);
      const confirmed = await session.run(confirmContacts(organisation.id, contacts, at));
      return { organisation: organisation.externalId, contacts, confirmed };
    },
    format: ({ organisation, confirmed }) =>
      confirmed === 0
        ? `These contacts of ${organisation} were confirmed before: nothing was changed.`
        : `Confirmed ${counted(confirmed, 'contact')} of ${organisation}.`,
    logFields: ({ organisation, contacts, confirmed }) => (confirmed === 0 ? null : { organisation, contacts }),
  }),
  organisationCommand({
    ...named,
    name: 'contacts delete',
    summary: 'delete contacts of an organisation for good, all of those named or none',
    async run(asked, { contacts }) {
      const { session, organisation } = asked;
      await contactsToChange(asked, contacts);
      const deleted = await session.run(deleteContacts(organisation.id, contacts));
      return { organisation: organisation.externalId, contacts, deleted };
    },
    format: ({ organisation, deleted }) => `Deleted ${counted(deleted, 'contact')} of ${organisation}.`,
    logFields: logged('organisation', 'contacts'),
  }),
  adminCommand({
    name: 'contacts import',
    summary: 'take contacts of an organisation in from a CSV file, all of it or nothing',
    description: [
      `The first line names the columns, in any order: ${FIELD_NAMES.join(', ')}, and id. Only art and name are required.`,
      'Cells are separated by commas, semicolons or tabs; the file is UTF-8. A line with an id changes that contact: in the',
      'columns that the file has. Another line makes a contact, with herkunft IMPORT and status CONFIRMED unless it says',
      'otherwise. A line that is equal to a contact in all fields changes nothing, so a file can be taken in twice.',
      `A file has at most ${MAX_CONTACTS.toLocaleString('en')} contacts. Every faulty line is told by its number.`,
    ].join('\n'),
    examples: ['stadtwerk contacts.csv --dry-run', 'stadtwerk contacts.csv', 'stadtwerk - < contacts.csv'],
    parameters: {
      organisation: organisationArgument,
      file: file('the file; - reads standard input'),
      dryRun: flag('check it and say what would change, but change nothing'),
    },
    async run(store, { organisation: reference, file: text, dryRun = false }, { settings }) {
      // Nobody waits for the organisation while the file is read.
      const read = await readContactLines(text);
      return store.asOperator(async (session) => {
        await withoutStatementTimeout(session);
        const { id, externalId } = await lockOrganisation(session, reference);
        const { at, count } = await lockedState(session, id);
        const { keyring, keys } = await keysToWriteWith(session, settings);
        const effect = effectOf(read.lines, await readAllContacts(session, keyring, id), at);
        const { created, updated, unchanged } = effect;
        const faults = [...read.faults, ...effect.faults];
        if (faults.length > 0) throw refused(`Nothing was taken in, the file has faults:\n${faultLines(faults)}`);
        if (count + created.length > MAX_CONTACTS) {
          const most = MAX_CONTACTS.toLocaleString('en');
          throw refused(`${externalId} would have more than ${most} contacts. Nothing was done; delete some first`);
        }
        const contacts = dryRun ? [] : [...created, ...updated];
        for (let from = 0; from < contacts.length; from += BATCH_SIZE) {
          await session.run(putContacts(id, contacts.slice(from, from + BATCH_SIZE), keys));
          await nextTurn();
        }
        return { organisation: externalId, created: created.length, updated: updated.length, unchanged, dryRun };
      });
    },
    format({ organisation, created, updated, unchanged, dryRun }) {
      const said = `${created} created, ${updated} updated, ${unchanged} unchanged`;
      return dryRun
        ? `The file is in order. Of ${counted(created + updated + unchanged, 'contact')} of ${organisation}: ${said}; nothing was changed now.`
        : `Contacts of ${organisation}: ${said}.`;
    },
    logFields: ({ organisation, created, updated, dryRun }) =>
      dryRun || created + updated === 0 ? null : { organisation, created, updated },
  }),
];

import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { refused } from '../../../runtime/command-line/exit.ts';
import { file, flag } from '../../../runtime/command-line/parameter.ts';
import { counted } from '../../../runtime/counted.ts';
import { type Contact, MAX_CONTACTS, putContacts, readAllContacts } from '../../../sql/org/records/contacts.ts';
import { changed, FIELD_NAMES, faultBetweenFields, fieldsOf, fingerprint, newContact } from '../../contacts/fields.ts';
import { adminCommand } from '../common/admin-command.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { withoutStatementTimeout } from '../common/statement-timeout.ts';
import { contactsToChange, keysToWriteWith, refuseTooMany } from './contacts-to-change.ts';
import { type ContactLine, faultLines, type LineFault, readContactLines } from './csv.ts';

export const importContacts = adminCommand({
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
    const read = await readContactLines(text);
    return store.asOperator(async (session) => {
      await withoutStatementTimeout(session);
      const { organisation, at, count } = await contactsToChange(session, reference);
      const { keyring, keys } = await keysToWriteWith(session, settings);
      const present = await readAllContacts(session, keyring, organisation.id);
      const effect = effectOf(read.lines, present, at);
      const faults = [...read.faults, ...effect.faults];
      if (faults.length > 0) throw refused(`Nothing was taken in, the file has faults:\n${faultLines(faults)}`);
      const { created, updated, unchanged } = effect;
      refuseTooMany(organisation.externalId, count + created.length);
      const contacts = dryRun ? [] : [...created, ...updated];
      for (let from = 0; from < contacts.length; from += BATCH_SIZE) {
        await session.run(putContacts(organisation.id, contacts.slice(from, from + BATCH_SIZE), keys));
        await nextTurn();
      }
      const counts = { created: created.length, updated: updated.length, unchanged };
      return { organisation: organisation.externalId, ...counts, dryRun };
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
});

/** Contacts that one statement writes. */
const BATCH_SIZE = 1_000;

interface ImportEffect {
  readonly created: readonly Contact[];
  readonly updated: readonly Contact[];
  readonly unchanged: number;
  readonly faults: readonly LineFault[];
}

/** Finds out what a file does to the contacts that there are. @param at time of the change */
function effectOf(lines: readonly ContactLine[], present: readonly Contact[], at: string): ImportEffect {
  const byId = new Map(present.map((contact) => [contact.id, contact]));
  const known = new Set(present.map(fingerprint));
  const lineOfId = new Map<string, number>();
  const created: Contact[] = [];
  const updated: Contact[] = [];
  const faults: LineFault[] = [];
  let unchanged = 0;

  const takeIn = ({ line, id, fields }: ContactLine): string | undefined => {
    if (id === null) {
      const contact = {
        id: randomUUIDv7(),
        ...fieldsOf(newContact.parse(fields), 'IMPORT'),
        createdAt: at,
        updatedAt: at,
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

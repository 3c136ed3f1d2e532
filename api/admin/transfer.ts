import { file, flag } from '../../runtime/command-line/parameter.ts';
import { alertRow, alertsOf } from '../../sql/org/alerts/alerts.ts';
import { organisationOf, organisationRow } from '../../sql/org/organisations.ts';
import { singleRow } from '../../sql/org/single-row.ts';
import { sql } from '../../sql/org/statement.ts';
import type { Session } from '../../sql/org/store.ts';
import { neverToldHint } from '../alerts/never-told.ts';
import { alertHolder } from '../alerts/question.ts';
import { adminCommand } from './common/admin-command.ts';
import { organisationCommand } from './common/organisation-command.ts';
import { registerBeside } from './common/register-beside.ts';
import { withoutStatementTimeout } from './common/statement-timeout.ts';
import { table } from './common/text-table.ts';
import { type AppliedDocument, applyDocument } from './transfer/apply-document.ts';
import { FORMAT, readDocument } from './transfer/document.ts';
import { SECTIONS } from './transfer/sections.ts';

/** One organisation with everything, as a document. */

/** The alerts that a document has made or changed, among all of its organisation; null where it has none. */
async function alertsWritten(session: Session, { id, counts }: AppliedDocument) {
  const { created = 0, updated = 0 } = counts.alerts ?? {};
  if (created + updated === 0) return null;
  const holder = await alertHolder(session, await singleRow(session, organisationRow, organisationOf(id)));
  return { holder, alerts: await session.rows(alertRow, alertsOf(id)) };
}

const changes = ({ counts }: Pick<AppliedDocument, 'counts'>): boolean =>
  Object.values(counts).some(({ created, updated }) => created + updated > 0);

export const transferCommands = [
  organisationCommand({
    name: 'export',
    summary: 'one organisation with everything, as a JSON document',
    description:
      `The document has the organisation, ${SECTIONS.map(({ name }) => name).join(', ')}. Keys are in it by prefix and ` +
      'hash of the secret: nobody can call with it, but they go on working where it is imported. Keep it to yourself all the same.',
    examples: ['stadtwerk --out copy.json', 'stadtwerk > copy.json'],
    takesLong: true,
    async run(place) {
      const lists: Record<string, readonly object[]> = {};
      for (const { name, read } of SECTIONS) lists[name] = await read(place);
      return { format: FORMAT, organisation: place.organisation, ...lists };
    },
    format: (document) => JSON.stringify(document, null, 2),
    outFile: {
      content: (document) => `${JSON.stringify(document, null, 2)}\n`,
      summary: ({ format, organisation, ...lists }) => ({
        ...{ format, organisation: organisation.externalId },
        ...Object.fromEntries(Object.entries<readonly object[]>(lists).map(([name, items]) => [name, items.length])),
      }),
    },
  }),
  adminCommand({
    name: 'import',
    summary: 'make an organisation match a document, all of it or nothing',
    description: [
      'The organisation is recognised by its external id, users by theirs, keys by prefix, portfolio entries by MaStR',
      'number, saved filters by name, contacts by id. What the document does not have is left alone: nothing is ever removed, and members',
      'that are left out stay as they are, or take their defaults on something new. Ids and times of creation count for',
      'what is new. A key that was revoked stays revoked. Importing a document twice changes nothing the second time.',
    ].join('\n'),
    examples: ['stadtwerk.json --dry-run', 'stadtwerk.json', '- < stadtwerk.json'],
    parameters: {
      file: file('the document; - reads standard input'),
      dryRun: flag('check it and say what would change, but change nothing'),
    },
    async run(store, { file: text, dryRun = false }, context) {
      const document = readDocument(text);
      const { taken, written } = await store.asOperator(async (session) => {
        await withoutStatementTimeout(session);
        await session.run(sql`SAVEPOINT before`);
        const taken = await applyDocument(session, document, context);
        const written = await alertsWritten(session, taken);
        if (dryRun) await session.run(sql`ROLLBACK TO SAVEPOINT before`);
        return { taken, written };
      });
      const hints: string[] = [];
      for (const alert of written?.alerts ?? []) {
        // The units that it names are looked up in the register only where it names some.
        const hint = written && (await neverToldHint(alert, written.holder, () => registerBeside(context.settings)));
        if (hint !== null) hints.push(`The alert ${alert.name}: ${hint.hinweis}`);
      }
      return { ...taken, dryRun, hints };
    },
    format(result) {
      const { organisation, counts, dryRun } = result;
      const nothing = dryRun ? 'nothing would change' : 'nothing was changed';
      const something = dryRun
        ? 'would become as the document says; nothing was changed now'
        : 'is now as the document says';
      return [
        `The organisation ${organisation} ${changes(result) ? something : `is as the document says: ${nothing}`}.`,
        table(
          ['', 'created', 'updated', 'unchanged'],
          Object.entries(counts).map(([name, { created, updated, unchanged }]) => [name, created, updated, unchanged]),
        ),
      ].join('\n\n');
    },
    note: ({ hints }) => hints.join('\n'),
    logFields: ({ dryRun, hints: _, ...taken }) => (dryRun || !changes(taken) ? null : taken),
  }),
];

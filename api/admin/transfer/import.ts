import { file, flag } from '../../../runtime/command-line/parameter.ts';
import { alertRow, alertsOf } from '../../../sql/org/alerts/alerts.ts';
import { organisationOf, organisationRow } from '../../../sql/org/organisations.ts';
import { singleRow } from '../../../sql/org/single-row.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { neverToldHint } from '../../alerts/never-told.ts';
import { alertHolder } from '../../alerts/question.ts';
import { type AdminContext, adminCommand } from '../common/admin-command.ts';
import { registerBeside } from '../common/register-beside.ts';
import { withoutStatementTimeout } from '../common/statement-timeout.ts';
import { table } from '../common/text-table.ts';
import { type AppliedDocument, applyDocument } from './apply-document.ts';
import { readDocument } from './document.ts';

export const importOrganisation = adminCommand({
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
    const { taken, alerts } = await store.asOperator(async (session) => {
      await withoutStatementTimeout(session);
      await session.run(sql`SAVEPOINT before`);
      const taken = await applyDocument(session, document, context);
      const { created = 0, updated = 0 } = taken.counts.alerts ?? {};
      const alerts = created + updated === 0 ? null : await alertsHeldBy(session, taken.id);
      if (dryRun) await session.run(sql`ROLLBACK TO SAVEPOINT before`);
      return { taken, alerts };
    });
    return { ...taken, dryRun, hints: alerts === null ? [] : await hintsOn(alerts, context) };
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
});

const alertsHeldBy = async (session: Session, organisationId: string) => ({
  holder: await alertHolder(session, await singleRow(session, organisationRow, organisationOf(organisationId))),
  alerts: await session.rows(alertRow, alertsOf(organisationId)),
});

/** A sentence on each alert that names units of which it will never tell. */
async function hintsOn(
  { alerts, holder }: Awaited<ReturnType<typeof alertsHeldBy>>,
  { settings }: AdminContext,
): Promise<string[]> {
  const hints: string[] = [];
  for (const alert of alerts) {
    const hint = await neverToldHint(alert, holder, () => registerBeside(settings));
    if (hint !== null) hints.push(`The alert ${alert.name}: ${hint.hinweis}`);
  }
  return hints;
}

const changes = ({ counts }: Pick<AppliedDocument, 'counts'>): boolean =>
  Object.values(counts).some(({ created, updated }) => created + updated > 0);
